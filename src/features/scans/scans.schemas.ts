/** A request for a turn. Passed between versions of the Worker, so fields may only be added. */
export interface TurnRequest {
  /** Chosen by the caller, so that a repeated call is the same request. */
  id: string;
  /** The key, member or job that makes the request. Owners take turns in rotation. */
  owner: string;
  /** How long the caller waits, in ms. */
  waitMs: number;
  /** Equal for requests that may share an answer; null if each needs its own. */
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
