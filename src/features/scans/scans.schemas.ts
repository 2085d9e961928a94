/** A request for the right to scan. Crosses between versions of the Worker: only ever add to it. */
export interface TurnRequest {
  /** Made by the caller, so that asking again is the same request. */
  id: string;
  /** The key, person or job that asks: each gets its turn after the others had one. */
  owner: string;
  /** How long the caller waits, in ms. */
  waitMs: number;
  /** A name of what is asked, to be told the answer when somebody has just found it; null where each needs its own. */
  question: string | null;
}

export type TurnOutcome =
  | { outcome: "granted" }
  /** The answer as JSON. */
  | { outcome: "answered"; answer: string }
  | { outcome: "busy" };

export interface Answered {
  question: string;
  /** As JSON. */
  answer: string;
}
