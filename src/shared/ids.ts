import { monotonicFactory } from "ulidx";

export type IdPrefix = "ws" | "ct" | "tag" | "cf" | "seg" | "tpl" | "conn" | "msg" | "cnv" | "cmp" | "key";

/** Makes ids that sort by `at` (ms since the epoch), and by call among those of one ms. */
export function createIds(now: () => number): (prefix: IdPrefix, at?: number) => string {
  const ulid = monotonicFactory();
  return (prefix, at) => `${prefix}_${ulid(at ?? now()).toLowerCase()}`;
}
