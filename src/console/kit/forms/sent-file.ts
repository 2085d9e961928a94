import type { Context } from "hono";
import type { AppEnv } from "../../../http/app-env.ts";
import { readMultipart, type SentFile } from "./multipart.ts";

function lengthOf(c: Context<AppEnv>): number | null {
  const length = c.req.header("Content-Length") ?? "";
  return /^\d+$/.test(length) ? Number(length) : null;
}

/** Reads up to the file. `fields` is null if a script sent only the file, with its name in the query. */
export async function readSentFile(
  c: Context<AppEnv>,
): Promise<{ fields: Map<string, string[]> | null; file: SentFile | null }> {
  const type = c.req.header("Content-Type") ?? "";
  const { body } = c.req.raw;
  if (type.startsWith("multipart/form-data")) {
    return body === null ? { fields: new Map(), file: null } : readMultipart(body, type);
  }
  const name = c.req.query("filename") ?? "";
  return { fields: null, file: body === null ? null : { name, type, bytes: lengthOf(c), body } };
}
