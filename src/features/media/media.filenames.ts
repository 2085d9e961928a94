/** Longer names are of no use to anyone, and no file system takes them. */
const MAX_FILENAME = 240;

/** Control characters, format characters that turn the direction of text around, and what separates folders. */
const UNSAFE = /[\p{Cc}\p{Cf}\\/]+/gu;

/** Whether a name is stored as it is. */
export const isCleanFilename = (name: string): boolean => cleanFilename(name) === name;

/** The last part of a path, as a name of a file that is safe anywhere; null where nothing is left. The extension survives a cut. */
export function cleanFilename(name: string | null | undefined): string | null {
  const last = (name ?? "").toWellFormed().split(/[\\/]/).at(-1) ?? "";
  const clean = last.replaceAll(UNSAFE, "").trim().replace(/^\.+/, "");
  if (clean === "") return null;
  const characters = Array.from(clean);
  if (characters.length <= MAX_FILENAME) return clean;
  const extension = /\.[a-z0-9]{1,10}$/i.exec(clean)?.[0] ?? "";
  return characters.slice(0, MAX_FILENAME - extension.length).join("") + extension;
}
