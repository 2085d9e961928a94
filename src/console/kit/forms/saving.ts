import type { RequestConditions } from "../../../http/audiences.ts";
import type { Ctx } from "../../../shared/context.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";

export const ONCE_FIELD = "once";
export const REVISION_FIELD = "revision";
export const BEFORE_PREFIX = "before.";
export const USE_STORED_FIELD = "theirs";

type Fields = ReadonlyMap<string, readonly string[]>;

const TOKEN = /^form_[0-9a-z]{26}$/;
const REVISION = /^[0-9]{1,15}$/;

export interface FormOrigin {
  token: string | null;
  revision: number | null;
  before: Fields;
}

/**
 * Removes the hidden fields from the submitted form and returns them. If the user chose to keep another user's
 * value of a field, that value replaces the submitted one.
 */
export function takeHiddenFields(sent: Map<string, string[]>): FormOrigin {
  const take = (name: string): string[] => {
    const values = sent.get(name) ?? [];
    sent.delete(name);
    return values;
  };
  const [token = ""] = take(ONCE_FIELD);
  const [revision = ""] = take(REVISION_FIELD);
  const names = [...sent.keys()].filter((name) => name.startsWith(BEFORE_PREFIX));
  // `Before` always adds an empty first value, because a list without values would otherwise not be submitted at
  // all. `slice` removes it.
  const before = new Map(names.map((name) => [name.slice(BEFORE_PREFIX.length), take(name).slice(1)]));
  for (const name of take(USE_STORED_FIELD)) sent.set(name, before.get(name) ?? []);
  return {
    token: TOKEN.test(token) ? token : null,
    revision: REVISION.test(revision) ? Number(revision) : null,
    before,
  };
}

/**
 * The idempotency key contains a hash of the form's values. A form that is submitted twice therefore takes effect
 * once, and a form that the user changes and submits again takes effect again.
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

export function changedPart(sent: unknown, rendered: unknown): { sent: object; original: object } {
  const before = new Map(Object.entries(rendered ?? {}));
  const changed = Object.entries(sent ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  const original = changed.map(([name]) => [name, before.get(name)]);
  return { sent: Object.fromEntries(changed), original: Object.fromEntries(original) };
}

/**
 * Derives a separate idempotency key for each function that handles a form, because two functions must not
 * share a key.
 */
export const onceForStep = (once: Ctx["once"], step: string): Ctx["once"] =>
  once === null ? null : { key: `${once.key} ${step}`, fingerprint: `${once.fingerprint} ${step}`, replayed: false };

export interface Conflict {
  before: Fields;
  own: ReadonlySet<string>;
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const withoutBlanks = (values: readonly string[] = []): string[] => values.filter((value) => value !== "");

export function conflictOf(values: Fields, before: Fields): Conflict {
  const isOwn = (name: string) => !isSameList(withoutBlanks(values.get(name)), withoutBlanks(before.get(name)));
  return { before, own: new Set([...before.keys()].filter(isOwn)) };
}

export function changeByOthers(
  { before, own }: Conflict,
  name: string,
  now: readonly string[],
): { isYours: boolean } | null {
  const original = before.get(name);
  return original === undefined || isSameList(withoutBlanks(original), withoutBlanks(now))
    ? null
    : { isYours: own.has(name) };
}
