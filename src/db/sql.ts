// The parts of which statements are written.
import { SQL, sql as drizzleSql, StringChunk } from "drizzle-orm";

/** By template: the texts of one are the same each time. */
const knownTexts = new WeakMap<TemplateStringsArray, StringChunk[]>();

function textsOf(strings: TemplateStringsArray): StringChunk[] {
  const known = knownTexts.get(strings);
  if (known !== undefined) return known;
  const texts = strings.map((text) => new StringChunk(text));
  knownTexts.set(strings, texts);
  return texts;
}

/** The constructor of Drizzle's would compare each part with its tables, for a cache that we do not have. */
function sqlOf<T>(parts: unknown[]): SQL<T> {
  const made = new SQL<T>([]);
  Reflect.set(made, "queryChunks", parts);
  return made;
}

function template<T>(strings: TemplateStringsArray, ...values: unknown[]): SQL<T> {
  const parts: unknown[] = [];
  for (const [index, text] of textsOf(strings).entries()) {
    parts.push(text);
    if (index < values.length) parts.push(values[index]);
  }
  return sqlOf(parts);
}

/**
 * As Drizzle's `sql`, and good wherever that is, but made in a fraction of the time: Drizzle's comparisons were a quarter of what
 * our code took for a send.
 */
export const sql = Object.assign(template, {
  identifier: drizzleSql.identifier,
  raw: drizzleSql.raw,
  join: (parts: unknown[], separator: SQL): SQL =>
    sqlOf(parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))),
});
