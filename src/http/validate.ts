import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import * as z from "zod";
import type { Once } from "../shared/context.ts";
import { sha256Hex } from "../shared/crypto.ts";
import { AppError, type Fault, faultPath, invalid, MAX_FAULTS } from "../shared/errors.ts";
import { REPORT, toFaults } from "../shared/faults.ts";
import { isReserved, RESERVED_NAME } from "../shared/own.ts";
import type { AppEnv } from "./app-env.ts";
import { ifMatch } from "./etags.ts";
import { isJson } from "./json-type.ts";
import { readBody } from "./read-body.ts";

const MAX_DEPTH = 16;

/** NUL and lone surrogates survive neither SQL text nor the providers, so no string may hold them. */
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** Adds a fault for each character, name or level too many that no value may have at any depth. Stops at `MAX_FAULTS`. */
function findUnstorable(value: unknown, path: string, faults: Fault[], depth = 0): void {
  if (faults.length >= MAX_FAULTS) return;
  const fault = (code: string, message: string) => faults.push({ path: path || "body", code, message });
  if (typeof value === "string" && !isStorable(value))
    fault("invalid_characters", "NUL and lone surrogates are not allowed.");
  if (typeof value !== "object" || value === null) return;
  if (depth === MAX_DEPTH) {
    fault("too_deep", `Must have at most ${MAX_DEPTH} levels.`);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) fault("invalid_characters", "NUL and lone surrogates are not allowed.");
    const at = faultPath(path, name);
    if (isReserved(name)) faults.push({ path: at, code: "unknown_field", message: RESERVED_NAME });
    findUnstorable(inner, at, faults, depth + 1);
  }
}

/** The faults of characters, names and depth that no value may have. */
export function listUnstorable(value: unknown, path: string): Fault[] {
  const faults: Fault[] = [];
  findUnstorable(value, path, faults);
  return faults;
}

const notJson = () => new AppError("invalid_json", "The body is not valid JSON.");

function requireObject(value: unknown): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("invalid_json", "The body must be a JSON object.");
}

/** Throws `invalid_json`. */
export function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw notJson();
  }
}

/** Throws `invalid_json`. */
export function parseJsonObject(bytes: ArrayBuffer): object {
  if (bytes.byteLength === 0) throw new AppError("invalid_json", "The body is empty. Send a JSON object.");
  const text = decodeUtf8(bytes);
  try {
    return requireObject(JSON.parse(text));
  } catch (error) {
    throw error instanceof AppError ? error : notJson();
  }
}

const isWrite = (c: Context<AppEnv>) => c.req.method !== "GET" && c.req.method !== "HEAD";

/** Throws `unsupported_media_type` and `invalid_json` for bytes that are no JSON whatever they hold. */
function checkBytes(c: Context<AppEnv>, bytes: ArrayBuffer): void {
  if (bytes.byteLength > 0 && !isJson(c)) {
    throw new AppError("unsupported_media_type", "Send the body as Content-Type: application/json.");
  }
  if (bytes.byteLength === 0) throw notJson();
  decodeUtf8(bytes);
}

/** The header as the documentation shows it and requests are checked against. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "Must be 1 to 255 printable ASCII characters.")
  .optional();

const noIdempotencyKey = z
  .string()
  .optional()
  .refine((key) => key === undefined, {
    message: "The management API takes no Idempotency-Key.",
    params: { code: "unknown_field" },
  });

/** `sha256` is that of the body, in hex. */
async function fingerprintOf(c: Context<AppEnv>, sha256: string): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  return sha256Hex(`${c.req.method} ${pathname}${search} ${sha256}`);
}

/** A reserved name may be one that the schema does not know either: it is reported once. */
function mergeFaults(found: Fault[], bySchema: Fault[]): Fault[] {
  const reported = new Set(found.map(({ path, code }) => `${code} ${path}`));
  return [...found, ...bySchema.filter(({ path, code }) => !reported.has(`${code} ${path}`))];
}

/** Checks one item of a list that a body's `rows` names, as a body of its own. */
export function parseRow<S extends z.ZodType>(
  schema: S,
  row: unknown,
): { data: z.output<S>; faults: null } | { faults: [Fault, ...Fault[]] } {
  const parsed = schema.safeParse(row, REPORT);
  const [first, ...others] = mergeFaults(listUnstorable(row, ""), parsed.success ? [] : toFaults(parsed.error, ""));
  if (first !== undefined) return { faults: [first, ...others] };
  if (!parsed.success) throw parsed.error;
  return { data: parsed.data, faults: null };
}

/** A body but for the items that are checked later. */
const withoutRows = (body: object, rows: string | undefined): object =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => name !== rows || !Array.isArray(value)));

/** Parses one part of a request. Null where it has faults, which are added to `faults`: `found`, and those by the schema. */
function parsePart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { place, found, faults }: { place: string; found: Fault[]; faults: Fault[] },
): { data: z.output<S> } | null {
  const parsed = schema.safeParse(value, REPORT);
  const own = mergeFaults(found, parsed.success ? [] : toFaults(parsed.error, place));
  faults.push(...own);
  return parsed.success && own.length === 0 ? { data: parsed.data } : null;
}

const headerWithIfMatch = z.object({ "if-match": ifMatch });
const headerWithKey = z.object({ "idempotency-key": idempotencyKey });
const headerWithoutKey = z.object({ "idempotency-key": noIdempotencyKey });

/** The Idempotency-Key of a request, if it has one. */
export function validateHeader(c: Context<AppEnv>, takesIdempotencyKey: boolean, faults: Fault[]): string | undefined {
  // A key sent with a read has no effect and is not looked at.
  const key = isWrite(c) || !takesIdempotencyKey ? c.req.header("Idempotency-Key") : undefined;
  if (key === undefined) return undefined;
  const schema = takesIdempotencyKey ? headerWithKey : headerWithoutKey;
  return parsePart(schema, { "idempotency-key": key }, { place: "header", found: [], faults })?.data["idempotency-key"];
}

/** The revisions that If-Match names; null where it names none, or `*`. A write that cannot keep the condition refuses it. */
function validateIfMatch(c: Context<AppEnv>, takesIfMatch: boolean, faults: Fault[]): readonly number[] | null {
  const header = takesIfMatch || isWrite(c) ? c.req.header("If-Match") : undefined;
  if (header === undefined) return null;
  if (!takesIfMatch) {
    faults.push({ path: "header.if-match", code: "unknown_field", message: "This call takes no If-Match." });
    return null;
  }
  const part = parsePart(headerWithIfMatch, { "if-match": header }, { place: "header", found: [], faults });
  return part?.data["if-match"] ?? null;
}

export function validateQuery<Q extends z.ZodType>(c: Context<AppEnv>, schema: Q, faults: Fault[]) {
  const entries = Object.entries(c.req.queries());
  const value = Object.fromEntries(entries.map(([name, values]) => [name, values[0] ?? ""]));
  const repeated = entries
    .filter(([, values]) => values.length > 1)
    .map(([name]) => ({ path: `query.${name}`, code: "repeated", message: "Send this parameter once." }));
  return parsePart(schema, value, { place: "query", found: [...repeated, ...listUnstorable(value, "query")], faults });
}

/** Throws `invalid_json`. */
async function validateBody<B extends z.ZodType>(
  c: Context<AppEnv>,
  schema: B,
  rows: string | undefined,
  faults: Fault[],
): Promise<{ data: z.output<B> } | null> {
  const part: { valid: { data: z.output<B> } | null } = { valid: null };
  // The validator's types cannot follow a schema that is a type parameter.
  const anySchema: z.ZodType = schema;
  const validator: MiddlewareHandler<AppEnv> = zValidator("json", anySchema, undefined, {
    validationFunction: (_, sent) => {
      const value = requireObject(sent);
      part.valid = parsePart(schema, value, { place: "", found: listUnstorable(withoutRows(value, rows), ""), faults });
      return { success: true, data: part.valid };
    },
  });
  try {
    await validator(c, () => Promise.resolve());
  } catch (error) {
    throw error instanceof HTTPException ? notJson() : error;
  }
  return part.valid;
}

interface Schemas<Q extends z.ZodType, B extends z.ZodType> {
  query: Q;
  body: B;
  expectsBody: boolean;
  /** The name of a list whose items are checked one by one later. */
  rows: string | undefined;
  takesIdempotencyKey: boolean;
  takesIfMatch?: boolean;
  /** Called where nothing but the body has faults; may throw another error in their place. */
  beforeBodyFaults?(): Promise<unknown>;
}

interface Valid<Q extends z.ZodType, B extends z.ZodType> {
  query: z.output<Q>;
  body: z.output<B>;
  once: Once | null;
  expectedRevisions: readonly number[] | null;
}

/** Validates Idempotency-Key, If-Match, query and body; throws one error with the faults of all of them. */
export async function validate<Q extends z.ZodType, B extends z.ZodType>(
  c: Context<AppEnv>,
  { query: querySchema, body: bodySchema, expectsBody, rows, beforeBodyFaults, ...headers }: Schemas<Q, B>,
): Promise<Valid<Q, B>> {
  const bytes = isWrite(c) ? await readBody(c) : new ArrayBuffer(0);
  const hasBody = expectsBody || bytes.byteLength > 0;
  const faults: Fault[] = [];
  const key = validateHeader(c, headers.takesIdempotencyKey, faults);
  const expectedRevisions = validateIfMatch(c, headers.takesIfMatch === true, faults);
  const query = validateQuery(c, querySchema, faults);
  const isRestValid = faults.length === 0;
  const parseBody = async () => {
    if (!hasBody) return { data: bodySchema.parse({}) };
    checkBytes(c, bytes);
    return validateBody(c, bodySchema, rows, faults);
  };
  const fail = async (fault: unknown): Promise<never> => {
    if (isRestValid) await beforeBodyFaults?.();
    throw fault;
  };
  const body = await parseBody().catch(fail);
  if (query === null || body === null || faults.length > 0) return fail(invalid(faults));
  const once = await onceOf(c, key, () => sha256Hex(new Uint8Array(bytes)));
  return { query: query.data, body: body.data, once, expectedRevisions };
}

/** The Idempotency-Key of a request with the fingerprint of all of it; `hash` gives the SHA-256 of its body, in hex. */
export async function onceOf(
  c: Context<AppEnv>,
  key: string | undefined,
  hash: () => Promise<string>,
): Promise<Once | null> {
  return key === undefined ? null : { key, fingerprint: await fingerprintOf(c, await hash()), replayed: false };
}
