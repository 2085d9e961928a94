import { is, SQL, sql } from "drizzle-orm";

export type Late<T> = SQL<T> | (T extends object ? { readonly [K in keyof T]: Late<T[K]> } : T);

/**
 * D1 allows 32 arguments per function. One `json_set` therefore sets 15 values: the JSON is one argument, and
 * each value takes two.
 */
const LEAVES_AT_ONCE = 15;

function lateLeaves(value: unknown, path = "$"): [path: string, leaf: SQL][] {
  if (is(value, SQL)) return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    lateLeaves(part, path + (Array.isArray(value) ? `[${name}]` : `."${name}"`)),
  );
}

export const isLate = (value: unknown): boolean => lateLeaves(value).length > 0;

export function lateJson(value: unknown): SQL {
  const leaves = lateLeaves(value);
  let json = sql`${JSON.stringify(value, (_, part: unknown) => (is(part, SQL) ? null : part))}`;
  while (leaves.length > 0) {
    const parts = leaves.splice(0, LEAVES_AT_ONCE).map(([path, leaf]) => sql`${path}, ${leaf}`);
    json = sql`json_set(${json}, ${sql.join(parts, sql`, `)})`;
  }
  return json;
}
