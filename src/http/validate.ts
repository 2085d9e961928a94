import type { Context } from "hono";
import type { z } from "zod";
import type { Once } from "../shared/context.ts";
import { sha256Hex } from "../shared/crypto.ts";
import { AppError, type Fault, faultPath, invalid, MAX_FAULTS } from "../shared/errors.ts";
import { REPORT, toFaults } from "../shared/faults.ts";
import { isReserved, RESERVED_NAME } from "../shared/own.ts";
import type { AppEnv } from "./app-env.ts";

const MAX_DEPTH = 16;

/** NUL and lone surrogates survive neither SQL text nor the providers, so no string may hold them. */
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** Adds a fault for what no value may have in it at any depth: characters, names, more levels. Stops at `MAX_FAULTS`. */
function findUnstorable(value: unknown, path: string, faults: Fault[], depth = 0): void {
  if (faults.length >= MAX_FAULTS) return;
  const fault = (code: string, message: string) => faults.push({ path: path || "body", code, message });
  if (typeof value === "string" && !isStorable(value))
    fault("invalid_characters", "NUL and lone surrogates are not allowed.");
  if (typeof value !== "object" || value === null) return;
  if (depth === MAX_DEPTH) {
    fault("too_deep", `At most ${MAX_DEPTH} levels.`);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) fault("invalid_characters", "NUL and lone surrogates are not allowed.");
    const at = faultPath(path, name);
    if (isReserved(name)) faults.push({ path: at, code: "unknown_field", message: RESERVED_NAME });
    findUnstorable(inner, at, faults, depth + 1);
  }
}

function unstorable(value: unknown, path: string): Fault[] {
  const faults: Fault[] = [];
  findUnstorable(value, path, faults);
  return faults;
}

function queryOf(c: Context<AppEnv>): { values: Record<string, string>; faults: Fault[] } {
  const entries = Object.entries(c.req.queries());
  const repeated = entries.filter(([, values]) => values.length > 1);
  return {
    values: Object.fromEntries(entries.map(([name, values]) => [name, values[0] ?? ""])),
    faults: repeated.map(([name]) => ({
      path: `query.${name}`,
      code: "repeated",
      message: "Send this parameter once.",
    })),
  };
}

/** Throws `invalid_json`. */
export function parseJsonObject(bytes: ArrayBuffer): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new AppError("invalid_json", "The body is not valid JSON.");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new AppError("invalid_json", "The body must be a JSON object.");
  }
  return parsed;
}

const isWrite = (c: Context<AppEnv>) => c.req.method !== "GET" && c.req.method !== "HEAD";

async function bodyOf(c: Context<AppEnv>, bytes: ArrayBuffer, expected: boolean): Promise<object> {
  if (bytes.byteLength === 0 && !expected) return {};
  if (bytes.byteLength > 0 && !/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
    throw new AppError("unsupported_media_type", "Send the body as Content-Type: application/json.");
  }
  return parseJsonObject(bytes);
}

function idempotencyFaults(key: string | undefined, taken: boolean): Fault[] {
  if (key === undefined) return [];
  const path = "header.idempotency-key";
  if (!taken) return [{ path, code: "unknown_field", message: "The management API takes no Idempotency-Key." }];
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return [];
  return [{ path, code: "invalid_format", message: "1 to 255 printable ASCII characters." }];
}

async function fingerprintOf(c: Context<AppEnv>, bytes: ArrayBuffer): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  return sha256Hex(`${c.req.method} ${pathname}${search} ${await sha256Hex(new Uint8Array(bytes))}`);
}

/** A reserved name may be one that the schema does not know either: it is told once. */
function allFaults(found: Fault[], bySchema: Fault[]): Fault[] {
  const told = new Set(found.map(({ path, code }) => `${code} ${path}`));
  return [...found, ...bySchema.filter(({ path, code }) => !told.has(`${code} ${path}`))];
}

/** Judges one item of a list that a body's `rows` names, as a body of its own. */
export function parseRow<S extends z.ZodType>(
  schema: S,
  row: unknown,
): { data: z.output<S>; faults: null } | { faults: [Fault, ...Fault[]] } {
  const parsed = schema.safeParse(row, REPORT);
  const [first, ...others] = allFaults(unstorable(row, ""), parsed.success ? [] : toFaults(parsed.error, ""));
  if (first !== undefined) return { faults: [first, ...others] };
  if (!parsed.success) throw parsed.error;
  return { data: parsed.data, faults: null };
}

/** A body but for the items that are judged later. */
const withoutRows = (body: object, rows: string | undefined): object =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => name !== rows || !Array.isArray(value)));

interface Schemas<Q extends z.ZodType, B extends z.ZodType> {
  query: Q;
  body: B;
  expectsBody: boolean;
  /** The name of a list whose items are judged one by one later. */
  rows: string | undefined;
  takesIdempotencyKey: boolean;
}

interface Valid<Q extends z.ZodType, B extends z.ZodType> {
  query: z.output<Q>;
  body: z.output<B>;
  once: Once | null;
}

/** Parses query, body and Idempotency-Key and reports every fault of all at once. */
export async function validate<Q extends z.ZodType, B extends z.ZodType>(
  c: Context<AppEnv>,
  schemas: Schemas<Q, B>,
): Promise<Valid<Q, B>> {
  const bytes = isWrite(c) ? await c.req.arrayBuffer() : new ArrayBuffer(0);
  const body = await bodyOf(c, bytes, schemas.expectsBody);
  const key = isWrite(c) || !schemas.takesIdempotencyKey ? c.req.header("Idempotency-Key") : undefined;
  const { values, faults } = queryOf(c);
  const [query, content] = await Promise.all([
    schemas.query.safeParseAsync(values, REPORT),
    schemas.body.safeParseAsync(body, REPORT),
  ]);
  const found = [
    faults,
    idempotencyFaults(key, schemas.takesIdempotencyKey),
    allFaults(unstorable(values, "query"), query.success ? [] : toFaults(query.error, "query")),
    allFaults(unstorable(withoutRows(body, schemas.rows), ""), content.success ? [] : toFaults(content.error, "")),
  ].flat();
  if (found.length > 0 || !query.success || !content.success) throw invalid(found);
  const once = key === undefined ? null : { key, fingerprint: await fingerprintOf(c, bytes), replayed: false };
  return { query: query.data, body: content.data, once };
}
