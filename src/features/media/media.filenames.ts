/** File systems reject longer names. */
const MAX_FILENAME = 240;

/** Control characters, format characters that change the direction of text, and path separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\\/]+/gu;

/** Whether a name is stored unchanged. */
export const isCleanFilename = (name: string): boolean => cleanFilename(name) === name;

/** The last part of a path as a safe filename, or null if nothing remains. Truncation keeps the extension. */
export function cleanFilename(name: string | null | undefined): string | null {
  const last = (name ?? "").toWellFormed().split(/[\\/]/).at(-1) ?? "";
  const clean = last.replaceAll(UNSAFE, "").trim().replace(/^\.+/, "");
  if (clean === "") return null;
  const characters = Array.from(clean);
  if (characters.length <= MAX_FILENAME) return clean;
  const extension = /\.[a-z0-9]{1,10}$/i.exec(clean)?.[0] ?? "";
  return characters.slice(0, MAX_FILENAME - extension.length).join("") + extension;
}
