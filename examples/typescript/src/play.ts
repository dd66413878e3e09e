/**
 * Two guests play 3UP 3DOWN until its end: `npm run play -- http://127.0.0.1:8000`.
 *
 * The clients know no rule: each makes one of the moves that the service lists, with the serial of its decision.
 */

import { granted, guest, type Client, type MatchView, type Schemas } from "./client.js";

type Decision = NonNullable<MatchView["table"]["decision"]>;

async function begin(host: Client, other: Client): Promise<string> {
  const created = granted(
    await host.POST("/api/v1/matches", {
      body: { game: "three_up_three_down", seats: 2, options: { turn_limit: 40 }, visibility: "unlisted" },
    }),
  );
  const params = { path: { match_id: created.id } };
  granted(await other.POST("/api/v1/matches/{match_id}/join", { params, body: {} }));
  return created.id;
}

async function look(client: Client, match: string): Promise<MatchView> {
  const params = { path: { match_id: match } };
  return granted(await client.GET("/api/v1/matches/{match_id}/view", { params })) as MatchView;
}

async function answer(client: Client, match: string, decision: Decision): Promise<void> {
  const move = decision.moves[0];
  if (move === undefined) {
    throw new Error("a decision has legal moves");
  }
  const params = { path: { match_id: match } };
  // The move came from this very decision, so it is one of its game; the compiler only knows that it is one of some game.
  const body = { serial: decision.serial, move } as Schemas["MoveRequest"];
  granted(await client.POST("/api/v1/matches/{match_id}/moves", { params, body }));
}

/** One word for a view of any game: the compiler knows by `game` which state it is. */
function describe(view: MatchView): string {
  switch (view.game) {
    case "three_up_three_down":
      return `turn ${view.table.state.turn}, dealt by seat ${view.table.state.dealer}`;
    case "splendor":
      return `round ${view.table.state.round}`;
    default:
      return `entry ${view.table.number}`;
  }
}

const url = process.argv[2] ?? "http://127.0.0.1:8000";
const clients = [await guest(url), await guest(url)] as const;
const match = await begin(...clients);
let moves = 0;
for (;;) {
  const views = await Promise.all(clients.map((client) => look(client, match)));
  const ending = views[0]?.table.ending;
  if (ending) {
    console.log(`${match} is over after ${moves} moves: ${ending.outcome?.reason ?? ending.status}`);
    break;
  }
  for (const [seat, client] of clients.entries()) {
    const view = views[seat];
    if (view?.table.decision) {
      await answer(client, match, view.table.decision);
      moves += 1;
      console.log(`seat ${seat} moved at ${describe(view)}`);
      break;
    }
  }
}
