import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import * as z from "zod";
import type { Once } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { AppError, type Fault, faultPath, invalid, MAX_FAULTS } from "../../shared/errors.ts";
import { REPORT, toFaults } from "../../shared/faults.ts";
import { isReserved, RESERVED_NAME } from "../../shared/security/own.ts";
import type { AppEnv } from "../app-env.ts";
import { ifMatch } from "../response/etags.ts";
import type { Method } from "../endpoint-spec.ts";
import { isJson, whereJson } from "./headers.ts";
import { readBody } from "./read-body.ts";

const MAX_DEPTH = 16;

const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

function findUnstorable(value: unknown, path: string, rootPath: string, faults: Fault[], depth = 0): void {
  if (faults.length >= MAX_FAULTS) return;
  const fault = (code: string, message: string) => faults.push({ path: path || rootPath, code, message });
  if (typeof value === "string" && !isStorable(value))
    fault("invalid_characters", "Must not contain NUL or lone surrogates.");
  if (typeof value !== "object" || value === null) return;
  if (depth === MAX_DEPTH) {
    fault("too_deep", `Must have at most ${MAX_DEPTH} levels.`);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) fault("invalid_characters", "Must not contain NUL or lone surrogates.");
    const at = faultPath(path, name);
    if (isReserved(name)) faults.push({ path: at, code: "unknown_field", message: RESERVED_NAME });
    findUnstorable(inner, at, rootPath, faults, depth + 1);
  }
}

export function listUnstorable(value: unknown, path: string, rootPath = "body"): Fault[] {
  const faults: Fault[] = [];
  findUnstorable(value, path, rootPath, faults);
  return faults;
}

const notJson = () => new AppError("invalid_json", "The body is not valid JSON.");

function requireObject(value: unknown): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("invalid_json", "The body must be a JSON object.");
}

export function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw notJson();
  }
}

function isUtf8(bytes: ArrayBuffer): boolean {
  try {
    decodeUtf8(bytes);
    return true;
  } catch {
    return false;
  }
}

export function parseJsonObject(bytes: ArrayBuffer): object {
  if (bytes.byteLength === 0) throw new AppError("invalid_json", "The body is empty. Send a JSON object.");
  const text = decodeUtf8(bytes);
  try {
    return requireObject(JSON.parse(text));
  } catch (error) {
    throw error instanceof AppError ? error : notJson();
  }
}

export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "Must be 1 to 255 printable ASCII characters.")
  .optional();

const unknownHeader = (message: string) =>
  z
    .string()
    .optional()
    .refine((value) => value === undefined, { message, params: { code: "unknown_field" } });

const noIdempotencyKey = unknownHeader("The management API does not support Idempotency-Key.");
const noIfMatch = unknownHeader("This operation does not support If-Match.");

export function headerSchema(method: Method, takes: { idempotencyKey: boolean; ifMatch: boolean }): z.ZodObject | null {
  const isRead = method === "get";
  if (isRead && takes.idempotencyKey) return null;
  return z.object({
    "idempotency-key": takes.idempotencyKey ? idempotencyKey : noIdempotencyKey,
    ...(!isRead && { "if-match": takes.ifMatch ? ifMatch.optional() : noIfMatch }),
  });
}

/** The schema can report the same fault as `listUnstorable`, for example a field named `__proto__`. */
function mergeFaults(found: Fault[], bySchema: Fault[]): Fault[] {
  const reported = new Set(found.map(({ path, code }) => `${code} ${path}`));
  return [...found, ...bySchema.filter(({ path, code }) => !reported.has(`${code} ${path}`))];
}

/** The paths of faults are relative to the row. A fault of the whole row has the path `rowPath`, such as `contacts.3`. */
export function parseRow<S extends z.ZodType>(
  schema: S,
  row: unknown,
  rowPath?: string,
): { data: z.output<S>; faults: null } | { faults: [Fault, ...Fault[]] } {
  const parsed = schema.safeParse(row, REPORT);
  const bySchema = parsed.success ? [] : toFaults(parsed.error, "", rowPath);
  const [first, ...others] = mergeFaults(listUnstorable(row, "", rowPath), bySchema);
  if (first !== undefined) return { faults: [first, ...others] };
  if (!parsed.success) throw parsed.error;
  return { data: parsed.data, faults: null };
}

const withoutRows = (body: object, rows: string | undefined): object =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => name !== rows || !Array.isArray(value)));

type Target = "header" | "query" | "json";

interface Parts {
  header: z.ZodObject | null;
  query: z.ZodType;
  json: z.ZodType | null;
  isBodyRequired: boolean;
  takesBytes: boolean;
  rows: string | undefined;
  /**
   * Called before an error about the body is returned, if the rest of the request is valid. It can throw a more
   * important error, such as `not_found`.
   */
  beforeBodyFaults: ((c: Context<AppEnv>) => Promise<unknown>) | undefined;
}

const NO_REPORT = new z.ZodError([]);

export function validators(parts: Parts): MiddlewareHandler<AppEnv>[] {
  const isAnything = () => true;
  const isStorableQuery = (query: unknown) =>
    Object.values(Object(query)).every((sent) => typeof sent === "string") && listUnstorable(query, "").length === 0;
  const isStorableBody = (body: unknown) => listUnstorable(withoutRows(Object(body), parts.rows), "").length === 0;
  const validator = (
    target: Target,
    schema: z.ZodType,
    isStorablePart: (value: unknown) => boolean,
  ): MiddlewareHandler<AppEnv> =>
    zValidator(
      target,
      schema,
      async ({ success }, c) => {
        if (!success) throw await requestError(c, parts);
      },
      {
        validationFunction: (_, value) =>
          isStorablePart(value) ? schema.safeParse(value) : { success: false, error: NO_REPORT },
      },
    );
  const json = parts.json && validJson(parts.json, parts, validator("json", parts.json, isStorableBody));
  return [
    ...(parts.header === null ? [] : [validator("header", parts.header, isAnything)]),
    validator("query", parts.query, isStorableQuery),
    ...(json === null ? [] : [parts.takesBytes ? whereJson(json) : json]),
  ];
}

const validJson =
  (schema: z.ZodType, parts: Parts, validator: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const bytes = await readBody(c);
    if (bytes.byteLength === 0 && !parts.isBodyRequired) {
      c.req.addValidatedData("json", Object(schema.parse({})));
      return next();
    }
    if (bytes.byteLength === 0 || !isJson(c) || !isUtf8(bytes)) throw await requestError(c, parts);
    try {
      return await validator(c, next);
    } catch (error) {
      throw error instanceof HTTPException ? await requestError(c, parts) : error;
    }
  };

async function requestError(c: Context<AppEnv>, parts: Parts): Promise<unknown> {
  const faults: Fault[] = [];
  const check = (schema: z.ZodType, value: unknown, part: string, found: Fault[]) => {
    const parsed = schema.safeParse(value, REPORT);
    faults.push(...mergeFaults(found, parsed.success ? [] : toFaults(parsed.error, part)));
  };
  if (parts.header !== null) check(parts.header, c.req.header(), "header", []);
  const sent = Object.entries(c.req.queries());
  const query = Object.fromEntries(sent.map(([name, values]) => [name, values[0] ?? ""]));
  const repeated = sent
    .filter(([, values]) => values.length > 1)
    .map(([name]) => ({ path: `query.${name}`, code: "repeated", message: "Send this parameter once." }));
  check(parts.query, query, "query", [...repeated, ...listUnstorable(query, "query")]);
  const isRestValid = faults.length === 0;
  let bodyError: unknown;
  try {
    if (parts.json !== null && !(parts.takesBytes && !isJson(c))) {
      const body = await parseBody(c, parts.isBodyRequired);
      check(parts.json, body, "", listUnstorable(withoutRows(body, parts.rows), ""));
    }
  } catch (error) {
    bodyError = error;
  }
  if (isRestValid) await parts.beforeBodyFaults?.(c);
  return bodyError ?? invalid(faults);
}

async function parseBody(c: Context<AppEnv>, isRequired: boolean): Promise<object> {
  const bytes = await readBody(c);
  if (bytes.byteLength === 0) {
    if (isRequired) throw notJson();
    return {};
  }
  if (!isJson(c)) throw new AppError("unsupported_media_type", "Send the body as Content-Type: application/json.");
  return parseJsonObject(bytes);
}

export const onceOfBody = (c: Context<AppEnv>, key: string | undefined): Promise<Once | null> =>
  onceOf(c, key, async () => sha256Hex(new Uint8Array(await c.req.arrayBuffer())));

export async function onceOf(
  c: Context<AppEnv>,
  key: string | undefined,
  hash: () => Promise<string>,
): Promise<Once | null> {
  if (key === undefined) return null;
  const { pathname, search } = new URL(c.req.url);
  const fingerprint = await sha256Hex(`${c.req.method} ${pathname}${search} ${await hash()}`);
  return { key, fingerprint, replayed: false };
}
