// Output for people and programs. Texts of other people can contain characters that control the terminal, so these
// characters are printed as \u….
import { type Event, TidingsError } from "../src/index.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/** Escapes control characters and line breaks. */
export const toLine = (text: string): string => text.replace(INVISIBLE, escaped);

export const toJson = (value: unknown): string => toLine(JSON.stringify(value));

export const print = (line: string): void => {
  process.stdout.write(`${line.replace(/[^\n]+/g, toLine)}\n`);
};

export const note = (line: string): void => {
  process.stderr.write(`${line.replace(/[^\n]+/g, toLine)}\n`);
};

export const clock = (): string => new Date().toTimeString().slice(0, 8);

/** An error in the options of the command. */
export class UsageError extends Error {}

/** Returns the message and code of an error, its faults, and the request id for support. */
export function describeError(error: unknown): string {
  if (!(error instanceof TidingsError)) return error instanceof Error ? error.message : String(error);
  const lines = [toLine(`${error.message} (${error.code})`)];
  if (error.code === "validation_failed" && Array.isArray(error.details))
    lines.push(...error.details.map(({ path, message }) => toLine(`  ${path}: ${message}`)));
  else if (error.details !== null) lines.push(`  ${toJson(error.details)}`);
  if (error.requestId !== null) lines.push(`  request ${toLine(error.requestId)}`);
  return lines.join("\n");
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

export function formatEvent({ created_at, type, id, changes }: Event): string {
  const changed = Object.entries(changes ?? {}).map(([field, change]) => {
    const after: unknown = Array.isArray(change) ? change.at(-1) : change;
    return `${field}=${shorten(JSON.stringify(after) ?? "")}`;
  });
  return [created_at, type, id, ...changed.slice(0, 4)].join(" ");
}
