import { monotonicFactory, type ULIDFactory } from "ulidx";
import { randomBytes } from "./security/crypto.ts";

type RecordPrefix =
  | "ws"
  | "ct"
  | "tag"
  | "cf"
  | "seg"
  | "tpl"
  | "conn"
  | "msg"
  | "cnv"
  | "cmp"
  | "key"
  | "usr"
  | "inv"
  | "wh"
  | "med"
  | "crp"
  | "note"
  | "view"
  | "job";

type WorkPrefix = "op" | "claim" | "lease" | "turn" | "form" | "evo" | "dlv";

export type IdPrefix = RecordPrefix | WorkPrefix;

export type NewId = (prefix: IdPrefix, at?: number) => string;

const REMEMBERED_MS = 1000;
/** Random bytes per block. An id uses 16 of them, so one block is enough for the ids of a short request. */
const RANDOM_BYTES = 64;

/** Gets random bytes in blocks, because one call per byte took a tenth of the CPU time of sending a message. */
function createRandom(): () => number {
  let bytes = new Uint8Array();
  let used = 0;
  return () => {
    if (used === bytes.length) {
      bytes = randomBytes(RANDOM_BYTES);
      used = 0;
    }
    return (bytes[used++] ?? 0) / 256;
  };
}

export const ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

export function preferIds(chosen: readonly string[], newId: NewId): NewId {
  const left = [...chosen];
  return (prefix, at) => {
    const index = left.findIndex((id) => id.startsWith(`${prefix}_`));
    if (index === -1) return newId(prefix, at);
    return left.splice(index, 1)[0] ?? newId(prefix, at);
  };
}

/** Creates ids that sort by time. Ids of the same millisecond sort in the order in which they were created. */
export function createIds(now: () => number): NewId {
  const factories = new Map<number, ULIDFactory>();
  const random = createRandom();
  return (prefix, at = now()) => {
    if (factories.size >= REMEMBERED_MS) factories.clear();
    const ulid = factories.get(at) ?? monotonicFactory(random);
    factories.set(at, ulid);
    return `${prefix}_${ulid(at).toLowerCase()}`;
  };
}
