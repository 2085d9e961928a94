import { Name, SQL, StringChunk } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

interface Rendered {
  sql: string;
  params: unknown[];
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
    into.sql += "?";
    into.params.push(part);
  } else {
    const { sql, params } = dialect.sqlToQuery(new SQL([part]));
    into.sql += sql;
    into.params.push(...params);
  }
}

/**
 * A statement as the database takes it. Texts, names, nested SQL and plain parameters are most of what there is; only the rest goes
 * to Drizzle, which compares each part with a dozen classes: that took 5 % of a send's CPU.
 */
export function renderSql(query: SQL): Rendered {
  const rendered: Rendered = { sql: "", params: [] };
  render(query, rendered);
  return rendered;
}
