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

function listUnstorable(value: unknown, path: string): Fault[] {
  const faults: Fault[] = [];
  findUnstorable(value, path, faults);
  return faults;
}

const notJson = () => new AppError("invalid_json", "The body is not valid JSON.");

function requireObject(value: unknown): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("invalid_json", "The body must be a JSON object.");
}

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw notJson();
  }
}

/** Throws `invalid_json`. */
export function parseJsonObject(bytes: ArrayBuffer): object {
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
  if (bytes.byteLength > 0 && !/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
    throw new AppError("unsupported_media_type", "Send the body as Content-Type: application/json.");
  }
  if (bytes.byteLength === 0) throw notJson();
  decodeUtf8(bytes);
}

/** The header as the documentation shows it and requests are checked against. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "1 to 255 printable ASCII characters.")
  .optional();

const noIdempotencyKey = z
  .string()
  .optional()
  .refine((key) => key === undefined, {
    message: "The management API takes no Idempotency-Key.",
    params: { code: "unknown_field" },
  });

async function fingerprintOf(c: Context<AppEnv>, bytes: ArrayBuffer): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  return sha256Hex(`${c.req.method} ${pathname}${search} ${await sha256Hex(new Uint8Array(bytes))}`);
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

/** The faults of one part of a request, thrown so that those of the other parts can be added. */
class InvalidPart extends Error {
  constructor(readonly faults: Fault[]) {
    super();
  }
}

interface Part<S extends z.ZodType> {
  target: "header" | "query" | "json";
  schema: S;
  /** Goes before the paths of faults. */
  place: string;
  /** Gives the value to parse, and the faults that no schema finds. */
  inspect?(sent: unknown): { value: unknown; faults: Fault[] };
}

/** Throws `InvalidPart` with every fault of the part. */
async function validatePart<S extends z.ZodType>(
  c: Context<AppEnv>,
  { target, schema, place, inspect = (value) => ({ value, faults: [] }) }: Part<S>,
): Promise<{ data: z.output<S> }> {
  const found: Fault[] = [];
  const part: { valid: { data: z.output<S> } | null } = { valid: null };
  // The validator's types cannot follow a schema that is a type parameter.
  const anySchema: z.ZodType = schema;
  const validator: MiddlewareHandler<AppEnv> = zValidator(
    target,
    anySchema,
    (result) => {
      const faults = mergeFaults(found, result.success ? [] : toFaults(result.error, place));
      if (faults.length > 0) throw new InvalidPart(faults);
    },
    {
      validationFunction: async (_, sent) => {
        const { value, faults } = inspect(sent);
        found.push(...faults);
        const parsed = await schema.safeParseAsync(value, REPORT);
        if (parsed.success) part.valid = { data: parsed.data };
        return parsed;
      },
    },
  );
  await validator(c, () => Promise.resolve());
  if (part.valid === null) throw new Error("A part of a request was neither valid nor refused.");
  return part.valid;
}

const headerWithKey = z.object({ "idempotency-key": idempotencyKey });
const headerWithoutKey = z.object({ "idempotency-key": noIdempotencyKey });

const validateHeader = (c: Context<AppEnv>, takesIdempotencyKey: boolean) =>
  validatePart(c, {
    target: "header",
    schema: takesIdempotencyKey ? headerWithKey : headerWithoutKey,
    place: "header",
  });

const validateQuery = <Q extends z.ZodType>(c: Context<AppEnv>, schema: Q) =>
  validatePart(c, {
    target: "query",
    schema,
    place: "query",
    inspect() {
      const entries = Object.entries(c.req.queries());
      const value = Object.fromEntries(entries.map(([name, values]) => [name, values[0] ?? ""]));
      const repeated = entries
        .filter(([, values]) => values.length > 1)
        .map(([name]) => ({ path: `query.${name}`, code: "repeated", message: "Send this parameter once." }));
      return { value, faults: [...repeated, ...listUnstorable(value, "query")] };
    },
  });

const validateBody = <B extends z.ZodType>(c: Context<AppEnv>, schema: B, rows: string | undefined) =>
  validatePart(c, {
    target: "json",
    schema,
    place: "",
    inspect(sent) {
      const value = requireObject(sent);
      return { value, faults: listUnstorable(withoutRows(value, rows), "") };
    },
  });

interface Schemas<Q extends z.ZodType, B extends z.ZodType> {
  query: Q;
  body: B;
  expectsBody: boolean;
  /** The name of a list whose items are checked one by one later. */
  rows: string | undefined;
  takesIdempotencyKey: boolean;
}

interface Valid<Q extends z.ZodType, B extends z.ZodType> {
  query: z.output<Q>;
  body: z.output<B>;
  once: Once | null;
}

/** Validates Idempotency-Key, query and body; throws one error with the faults of all of them. */
export async function validate<Q extends z.ZodType, B extends z.ZodType>(
  c: Context<AppEnv>,
  { query: querySchema, body: bodySchema, expectsBody, rows, takesIdempotencyKey }: Schemas<Q, B>,
): Promise<Valid<Q, B>> {
  const bytes = isWrite(c) ? await c.req.arrayBuffer() : new ArrayBuffer(0);
  const hasBody = expectsBody || bytes.byteLength > 0;
  if (hasBody) checkBytes(c, bytes);
  const faults: Fault[] = [];
  const collectFaults = (error: unknown) => {
    if (error instanceof HTTPException) throw notJson();
    if (!(error instanceof InvalidPart)) throw error;
    faults.push(...error.faults);
    return null;
  };
  // A key sent with a read has no effect and is not looked at.
  const readsKey = isWrite(c) || !takesIdempotencyKey;
  const header = readsKey ? await validateHeader(c, takesIdempotencyKey).catch(collectFaults) : { data: {} };
  const query = await validateQuery(c, querySchema).catch(collectFaults);
  const body = hasBody ? await validateBody(c, bodySchema, rows).catch(collectFaults) : { data: bodySchema.parse({}) };
  if (header === null || query === null || body === null) throw invalid(faults);
  const key = header.data["idempotency-key"];
  const once = key === undefined ? null : { key, fingerprint: await fingerprintOf(c, bytes), replayed: false };
  return { query: query.data, body: body.data, once };
}
