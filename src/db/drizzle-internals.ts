// Undocumented parts of Drizzle, used only in this file. Check these parts when drizzle-orm is updated:
// - `SQL.queryChunks`, `StringChunk.value` and `Name.value`: the parts of a statement;
// - `SQLiteAsyncDialect.escapeName` and `.sqlToQuery`: rendering of names and of all other parts;
// - `prepare().getQuery` and `.mapResult`: the text of a built query, and its rows;
// - `as()._.selectedFields`: the names of a select's fields.
import { Name, SQL, StringChunk } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

export interface BuiltQuery<Result = unknown> {
  readonly _: { readonly result: Result };
  prepare(): {
    getQuery(): { sql: string; params: unknown[] };
    mapResult(response: unknown, isFromBatch: boolean): unknown;
  };
}

export interface Select extends BuiltQuery {
  as(alias: string): { readonly _: { readonly selectedFields: object } };
}

export const isBuilt = (query: object): query is BuiltQuery => Reflect.has(query, "prepare");

export const selectedNames = (select: Select): string[] => Object.keys(select.as("fact")._.selectedFields);

/**
 * A parameter. The runtime's SQLite compiles a statement with `column = ?` or `LIMIT ?` again at each execution. `likely`
 * returns its argument, and the compiled statement stays.
 */
const parameter = (number: number | "" = "") => `likely(?${number})`;

const STRING_OR_PARAMETER = /'[^']*'|\?/g;

const wrapParameters = (sql: string): string =>
  sql.replace(STRING_OR_PARAMETER, (found) => (found === "?" ? parameter() : found));

export function renderBuilt(query: BuiltQuery) {
  const prepared = query.prepare();
  const { sql, params } = prepared.getQuery();
  return { sql: wrapParameters(sql), params, read: (results: unknown[]) => prepared.mapResult({ results }, true) };
}

const MAX_PARAMS = 100;

interface Rendered {
  sql: string;
  params: unknown[];
  /** Parameter numbers by value, so that equal values are bound once. */
  numbers?: Map<unknown, number>;
}

const dialect = new SQLiteAsyncDialect();

function render(part: unknown, into: Rendered): void {
  if (part === undefined) return;
  if (part instanceof StringChunk) {
    for (const text of part.value) into.sql += text;
  } else if (part instanceof SQL) {
    for (const chunk of part.queryChunks) render(chunk, into);
  } else if (part instanceof Name) {
    into.sql += dialect.escapeName(part.value);
  } else if (typeof part !== "object" || part === null) {
    const number = into.numbers?.get(part);
    into.sql += parameter(number);
    if (number !== undefined) return;
    into.params.push(part);
    into.numbers?.set(part, into.params.length);
  } else {
    const { sql, params } = dialect.sqlToQuery(new SQL([part]));
    into.sql += wrapParameters(sql);
    into.params.push(...params);
  }
}

/** Renders the frequent parts without Drizzle, which compares each part with a dozen classes: 5 % of a send's CPU. */
export function renderSql(query: SQL): Rendered {
  const rendered: Rendered = { sql: "", params: [] };
  render(query, rendered);
  if (rendered.params.length <= MAX_PARAMS) return rendered;
  // SQLite numbers parameters in order, so only repeated parameters need a number.
  const shared: Rendered = { sql: "", params: [], numbers: new Map() };
  render(query, shared);
  return { sql: shared.sql, params: shared.params };
}
