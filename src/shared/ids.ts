import { monotonicFactory, type ULIDFactory } from "ulidx";

type RecordPrefix = "ws" | "ct" | "tag" | "cf" | "seg" | "tpl" | "conn" | "msg" | "cnv" | "cmp" | "key" | "usr" | "inv";

/** Pieces of work and tokens, which are no records. */
type WorkPrefix = "op" | "claim" | "lease" | "turn" | "form";

export type IdPrefix = RecordPrefix | WorkPrefix;

const REMEMBERED_MS = 1000;

/** Makes ids that sort by `at` (ms since the epoch), and by call among those of one ms. */
export function createIds(now: () => number): (prefix: IdPrefix, at?: number) => string {
  // One each ms: a factory that has made a later id puts earlier ones after it.
  const factories = new Map<number, ULIDFactory>();
  return (prefix, at = now()) => {
    if (factories.size >= REMEMBERED_MS) factories.clear();
    const ulid = factories.get(at) ?? monotonicFactory();
    factories.set(at, ulid);
    return `${prefix}_${ulid(at).toLowerCase()}`;
  };
}
