// The match page: the slider and the tabs fetch the table alone, and clocks count down. Without scripts both are links.
"use strict";

const table = document.getElementById("table");
let waiting = 0;
let asked = 0;

function wanted() {
  return new URLSearchParams({
    entry: table.querySelector("[name=entry]").value,
    seat: table.querySelector("[name=seat]").value,
  });
}

async function show(query, focus) {
  const number = ++asked;
  const answer = await fetch(`${table.dataset.url}?${query}`, { credentials: "same-origin" });
  if (number !== asked) return;
  if (!answer.ok || answer.redirected) {
    location.reload();
    return;
  }
  table.innerHTML = await answer.text();
  if (focus) table.querySelector(focus)?.focus();
}

function later(query, focus) {
  clearTimeout(waiting);
  waiting = setTimeout(() => show(query, focus), 80);
}

if (table && table.dataset.url) {
  table.classList.add("ls-live");
  table.addEventListener("input", (event) => {
    if (event.target.name === "entry") later(wanted(), "[name=entry]");
  });
  table.addEventListener("submit", (event) => {
    event.preventDefault();
    show(wanted());
  });
  table.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-seat]");
    const step = event.target.closest("[data-step]");
    if (!tab && !step) return;
    event.preventDefault();
    const query = wanted();
    if (tab) query.set("seat", tab.dataset.seat);
    else query.set("entry", String(Number(query.get("entry")) + Number(step.dataset.step)));
    show(query, tab ? `[data-seat="${tab.dataset.seat}"]` : `[data-step="${step.dataset.step}"]`);
  });
}

function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const [days, rest] = [Math.floor(seconds / 86400), seconds % 86400];
  const pad = (number) => String(number).padStart(2, "0");
  const time = `${pad(Math.floor(rest / 3600))}:${pad(Math.floor((rest % 3600) / 60))}:${pad(rest % 60)}`;
  return days ? `${days} d ${time}` : time;
}

const seats = document.getElementById("seats");
if (seats) {
  const [served, began] = [Number(seats.dataset.now), performance.now()];
  const tick = () => {
    const now = served + performance.now() - began;
    for (const clock of seats.querySelectorAll("[data-left]")) {
      const { left, since } = clock.dataset;
      const ran = since === "" ? 0 : Math.max(0, now - Number(since));
      clock.textContent = clockText(Math.max(0, Number(left) - ran)) + (since === "" ? " (stands)" : "");
    }
  };
  tick();
  setInterval(tick, 1000);
}
