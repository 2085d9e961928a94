import * as z from "zod";
import { jsonBytes } from "../shared/text/text.ts";

// If a field with one of these schemas is malformed, the schema returns null instead of an error. Otherwise, one
// malformed field would make the whole message unreadable.

export const lenientText = z.string().nullish().catch(null);
export const lenientBoolean = z.boolean().nullish().catch(null);
/** Accepts text, too, because some engines of WAHA send numbers as strings. */
export const lenientNumber = z.union([z.number(), z.string()]).nullish().catch(null);
export const lenientObject = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish().catch(null);

export type LenientText = z.infer<typeof lenientText>;

export function numberOf(value: z.infer<typeof lenientNumber>): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/**
 * The maximum length of a message's content as JSON. Tidings puts the content and the body into one queue message,
 * which Cloudflare limits to 128 KB.
 */
const MAX_CONTENT_BYTES = 32_000;
export const MAX_BODY_BESIDE_PARTS_BYTES = 48_000;

const MAX_DEPTH = 8;

interface Limits {
  characters: number;
  items: number;
}

const clean = (text: string, characters: number): string => {
  const whole = text.replaceAll("\0", "").toWellFormed();
  return whole.length <= characters ? whole : `${whole.slice(0, characters).toWellFormed()}…`;
};

function cutValue(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value === "string") return clean(value, limits.characters);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => cutValue(item, limits, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, limits.items)
      .map(([name, item]) => [clean(name, limits.characters), cutValue(item, limits, depth - 1)]),
  );
}

/**
 * Returns `value` with shorter texts and lists, so that its JSON fits into `maxBytes`. Each pass of the loop allows
 * fewer characters and items than the pass before. Also removes characters that D1 and Queues reject.
 */
export function fitJson(value: unknown, maxBytes = MAX_CONTENT_BYTES): unknown {
  for (let limits = { characters: maxBytes, items: 1000 }; limits.characters >= 1; limits = halved(limits)) {
    const cut = cutValue(value, limits, MAX_DEPTH);
    if (jsonBytes(cut) <= maxBytes) return cut;
  }
  return null;
}

const halved = ({ characters, items }: Limits): Limits => ({
  characters: Math.floor(characters / 2),
  items: Math.ceil(items * 0.8),
});

export const nonEmpty = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );

const MAX_JSON_BYTES = 100_000;
const MAX_ID = 512;

/**
 * Removes NUL and lone surrogates, because D1 and Queues reject them. Cuts the text if its JSON is longer than
 * `maxBytes`.
 */
export function storable(text: string, maxBytes = MAX_JSON_BYTES): string {
  const whole = text.replaceAll("\0", "").toWellFormed();
  let cut = whole;
  for (let bytes = jsonBytes(cut); bytes > maxBytes; bytes = jsonBytes(cut)) {
    cut = cut.slice(0, Math.floor((cut.length * maxBytes) / bytes) - 1);
  }
  return cut === whole ? whole : `${cut.toWellFormed()}…`;
}

export const idOf = (id: LenientText): string | null =>
  !id || id.length > MAX_ID || id.includes("\0") || !id.isWellFormed() ? null : id;

export const shortText = (text: LenientText, characters = 255): string | null =>
  text ? storable(text).slice(0, characters).toWellFormed() || null : null;

export function nameOf(name: LenientText): string | null {
  const characters = Array.from(storable(name ?? "").trim());
  return characters.slice(0, 200).join("") || null;
}

export function exactTimeOf(stamp: unknown): number | null {
  const at = Number(typeof stamp === "string" || typeof stamp === "number" ? stamp : Number.NaN);
  if (!Number.isFinite(at) || at <= 0) return null;
  const ms = Math.round(at < 1e11 ? at * 1000 : at);
  return ms < 8.64e15 ? ms : null;
}

/**
 * Providers send times in whole seconds. If the time is less than a second ago, this function returns `receivedAt`
 * instead, which has milliseconds. Otherwise, a reply that was written at 12:00:05.900 would get the time 12:00:05.000
 * and could sort before the message from 12:00:05.400 that it replies to.
 */
export function timeOf(seconds: unknown, receivedAt: number): number {
  const ms = exactTimeOf(seconds);
  if (ms === null) return receivedAt;
  const inSeconds = Number(seconds) < 1e11;
  const isThisSecond = inSeconds && ms <= receivedAt && receivedAt - ms < 1000;
  return isThisSecond ? receivedAt : ms;
}
