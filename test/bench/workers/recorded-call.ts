/** A statement's index in `texts`, and its parameters. */
export type RecordedStatement = [text: number, values: unknown[]];

/** The databases' and objects' part of a call. The log of requests is excluded, because it is written each second. */
interface RecordedCall {
  objects: number;
  /** Round trips until the response. */
  trips: RecordedStatement[][];
  laterTrips: RecordedStatement[][];
}

export interface RecordedCalls {
  texts: string[];
  calls: Record<string, RecordedCall[]>;
}
