/** The interface of Listik as one player: every path, body and answer has its type from the service's own document. */

import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./api.js";

export type Schemas = components["schemas"];
export type MatchView = Schemas["MatchView"];
export type Problem = Schemas["Problem"];

/** A refusal: `code` never changes, `detail` is for people. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
  }
}

/** The answer, or the refusal as an exception. */
export function granted<T>(result: { data?: T; error?: Problem }): T {
  if (result.error !== undefined) {
    throw new Refused(result.error);
  }
  return result.data as T;
}

/** A client without a token, for whatever anybody may do. */
export function visitor(url: string) {
  return createClient<paths>({ baseUrl: url });
}

/** A client that sends the access token along. */
export function player(url: string, access: string) {
  const client = visitor(url);
  const bearer: Middleware = {
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${access}`);
      return request;
    },
  };
  client.use(bearer);
  return client;
}

export type Client = ReturnType<typeof visitor>;

/** A new guest, ready to play. */
export async function guest(url: string): Promise<Client> {
  const made = granted(await visitor(url).POST("/api/v1/guests", { body: { device: "example" } }));
  return player(url, made.session.access);
}
