// Messages of every kind as text.
import { jsonBytes } from "../shared/text/text.ts";
import type { ContactCard, Content, MediaContent, MediaType } from "./content.ts";

/** A queue message may hold 128 KB; the envelope takes little of it. */
const MAX_JSON_BYTES = 100_000;
/** Longer than any provider's id. */
const MAX_ID = 512;

/** Text that can be stored and queued: without NUL and lone surrogates, and truncated. */
export function storable(text: string, maxBytes = MAX_JSON_BYTES): string {
  const clean = text.replaceAll("\0", "").toWellFormed();
  let cut = clean;
  for (let bytes = jsonBytes(cut); bytes > maxBytes; bytes = jsonBytes(cut)) {
    cut = cut.slice(0, Math.floor((cut.length * maxBytes) / bytes) - 1);
  }
  return cut === clean ? clean : `${cut.toWellFormed()}…`;
}

export const idOf = (id: string | null | undefined): string | null =>
  id === null || id === undefined || id === "" || id.length > MAX_ID || id.includes("\0") || !id.isWellFormed()
    ? null
    : id;

export function nameOf(name: string | null | undefined): string | null {
  const shown = Array.from(storable(name ?? "").trim())
    .slice(0, 200)
    .join("");
  return shown === "" ? null : shown;
}

type Part = string | number | null | undefined;

const joined = (parts: Part[], separator: string) =>
  parts.filter((part) => part !== null && part !== undefined && part !== "").join(separator);

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `[image] A caption`: the kind of a message that is not text, and its readable part. */
export const labelled = (kind: string, ...parts: Part[]): string => joined([`[${kind}]`, ...parts], " ");

export const listed = (...parts: Part[]): string => joined(parts, ", ");

export const bodyOf = (text: string | null | undefined, kind = "empty message"): string => {
  const body = storable(text ?? "");
  return body.trim() === "" ? labelled(kind) : body;
};

/** A content whose kind has a line of its own. Files are known by any id, or by none. */
type ReadableContent =
  { type: MediaType; content: Partial<MediaContent> } | Exclude<Content, { type: MediaType | "text" | "unsupported" }>;

const cardLine = ({ name, phones }: ContactCard): string =>
  labelled("contact", name.formatted_name, ...phones.map(({ phone }) => phone));

/** Locations and cards of contacts are written in full. */
export function readableLine({ type, content }: ReadableContent, fromContact: boolean): string {
  switch (type) {
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return labelled(content.voice === true ? "voice message" : type, content.filename, content.caption);
    case "location": {
      const [place, coordinates] = [listed(content.name, content.address), listed(content.latitude, content.longitude)];
      return labelled(type, fromContact ? listed(place, coordinates) : place || coordinates);
    }
    case "contacts":
      if (!fromContact) return labelled(type, listed(...content.map(({ name }) => name.formatted_name)));
      return content.map(cardLine).join("\n") || labelled("contact");
    case "interactive":
      return content.body;
    case "reaction":
      return content.emoji === "" ? labelled("reaction removed") : labelled(type, content.emoji);
    case "button_reply":
    case "list_reply":
      return content.title;
    case "form_reply":
      return labelled(content.name ?? "form", content.body, JSON.stringify(content.response));
    case "order":
      return labelled(type, counted(content.products.length, "item"), content.text);
  }
}

/** Seconds or milliseconds since the epoch as ms, equal in every delivery; null if it cannot be a time. */
export function exactTimeOf(stamp: unknown): number | null {
  const at = Number(typeof stamp === "string" || typeof stamp === "number" ? stamp : Number.NaN);
  if (!Number.isFinite(at) || at <= 0) return null;
  const ms = Math.round(at < 1e11 ? at * 1000 : at);
  return ms < 8.64e15 ? ms : null;
}

/**
 * Seconds since the epoch as ms; an invalid time becomes the time of receipt. Within the second of receipt it becomes now: a reply
 * must not seem older than the message of the same second that it answers.
 */
export function timeOf(seconds: unknown, receivedAt: number): number {
  const ms = exactTimeOf(seconds);
  if (ms === null) return receivedAt;
  const inSeconds = Number(seconds) < 1e11;
  const isThisSecond = inSeconds && ms <= receivedAt && receivedAt - ms < 1000;
  return isThisSecond ? receivedAt : ms;
}
