// The hidden fields of a form: they make it have effect once, and overwrite nothing that its sender has not seen.
import type { RequestConditions } from "../../../http/audiences.ts";
import type { Ctx } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";

/** Hidden fields: the page's own token, and the revision of the record that the form was made from. */
export const ONCE_FIELD = "once";
export const REVISION_FIELD = "revision";
/** Before the name of a field, for the values that it had when the form was made. */
export const BEFORE_PREFIX = "before.";
/** The check boxes by which a person takes somebody else's value of a field. */
export const THEIRS_FIELD = "theirs";

/** The values of each field by name. */
type Fields = ReadonlyMap<string, readonly string[]>;

const TOKEN = /^form_[0-9a-z]{26}$/;
const REVISION = /^[0-9]{1,15}$/;

/** What a form was made from, as its hidden fields say. */
export interface FormOrigin {
  token: string | null;
  revision: number | null;
  /** The values that fields had when the form was made. */
  before: Fields;
}

/** Takes the hidden fields out of a form, and puts somebody else's values into the fields for which they were chosen. */
export function takeHiddenFields(sent: Map<string, string[]>): FormOrigin {
  const take = (name: string): string[] => {
    const values = sent.get(name) ?? [];
    sent.delete(name);
    return values;
  };
  const [token = ""] = take(ONCE_FIELD);
  const [revision = ""] = take(REVISION_FIELD);
  const names = [...sent.keys()].filter((name) => name.startsWith(BEFORE_PREFIX));
  // The first value only says that the field was there: lists may be empty.
  const before = new Map(names.map((name) => [name.slice(BEFORE_PREFIX.length), take(name).slice(1)]));
  for (const name of take(THEIRS_FIELD)) sent.set(name, before.get(name) ?? []);
  return {
    token: TOKEN.test(token) ? token : null,
    revision: REVISION.test(revision) ? Number(revision) : null,
    before,
  };
}

/**
 * The conditions under which a form has effect. Its key is made of its token and its fields: sent twice it has effect once; sent again
 * with other values, from a page that the browser kept, it is another request.
 */
export async function conditionsOf(
  path: string,
  fields: Fields,
  { token, revision }: FormOrigin,
): Promise<RequestConditions> {
  const expectedRevisions = revision === null ? null : [revision];
  if (token === null) return { once: null, expectedRevisions };
  const fingerprint = await sha256Hex(JSON.stringify([path, [...fields]]));
  return { once: { key: `${token} ${fingerprint}`, fingerprint, replayed: false }, expectedRevisions };
}

/** The fields of a body that its sender has changed, and in `shown` what the form had in them. */
export function changedPart(sent: unknown, made: unknown): { sent: object; shown: object } {
  const before = new Map(Object.entries(made ?? {}));
  const changed = Object.entries(sent ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  const shown = changed.map(([name]) => [name, before.get(name)]);
  return { sent: Object.fromEntries(changed), shown: Object.fromEntries(shown) };
}

/** The key of one step, where a form does several things. */
export const onceForStep = (once: Ctx["once"], step: string): Ctx["once"] =>
  once === null ? null : { key: `${once.key} ${step}`, fingerprint: `${once.fingerprint} ${step}`, replayed: false };

/** Fields that somebody else has changed while a form was filled in. */
export interface Conflict {
  before: Fields;
  /** The fields that the sender has changed. */
  own: ReadonlySet<string>;
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const withoutBlanks = (values: readonly string[] = []): string[] => values.filter((value) => value !== "");

/** Finds the fields of a refused form that its sender has changed. */
export function conflictOf(values: Fields, before: Fields): Conflict {
  const isOwn = (name: string) => !isSameList(withoutBlanks(values.get(name)), withoutBlanks(before.get(name)));
  return { before, own: new Set([...before.keys()].filter(isOwn)) };
}

/** Somebody else's change of a field, which has the values `now`; null where there is none. `isYours`: the sender changed it, too. */
export function changeByOthers(
  { before, own }: Conflict,
  name: string,
  now: readonly string[],
): { isYours: boolean } | null {
  const known = before.get(name);
  return known === undefined || isSameList(withoutBlanks(known), withoutBlanks(now))
    ? null
    : { isYours: own.has(name) };
}
