// Lines for people and programs. Texts that others wrote may hold characters that steer a terminal: they are shown as \u….
import { type Event, TidingsError } from "../src/index.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/** A text that others wrote, within a line. */
export const toLine = (text: string): string => text.replace(INVISIBLE, escaped);

/** JSON that says the same and steers no terminal. */
export const toJson = (value: unknown): string => toLine(JSON.stringify(value));

export const print = (line: string): void => {
  process.stdout.write(`${line.replace(/[^\n]+/g, toLine)}\n`);
};

/** For people, beside the output: where things stand, and what went wrong. */
export const note = (line: string): void => {
  process.stderr.write(`${line.replace(/[^\n]+/g, toLine)}\n`);
};

export const clock = (): string => new Date().toTimeString().slice(0, 8);

/** A mistake in the command itself. */
export class UsageError extends Error {}

/** An error in words: what the API said, every fault of what was sent, and what to quote to support. */
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

/** An event in a line for people: when, its type and id, and what has changed. */
export function formatEvent({ created_at, type, id, changes }: Event): string {
  const changed = Object.entries(changes ?? {}).map(([field, change]) => {
    const after: unknown = Array.isArray(change) ? change.at(-1) : change;
    return `${field}=${shorten(JSON.stringify(after) ?? "")}`;
  });
  return [created_at, type, id, ...changed.slice(0, 4)].join(" ");
}
