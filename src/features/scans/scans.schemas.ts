/** A request for the right to scan. Crosses between versions of the Worker: only ever add to it. */
export interface TurnRequest {
  /** Made by the caller, so that a repeated call is the same request. */
  id: string;
  /** The key, member or job that makes the request: owners get turns in rotation. */
  owner: string;
  /** The time the caller waits, in ms. */
  waitMs: number;
  /** Equal for requests that may be given the same answer; null where each needs its own. */
  question: string | null;
}

export type TurnDecision =
  | { outcome: "granted" }
  /** The answer as JSON. */
  | { outcome: "answered"; answer: string }
  | { outcome: "busy" };

export interface CachedAnswer {
  question: string;
  /** As JSON. */
  answer: string;
}
