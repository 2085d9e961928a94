import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/** An answer that is no JSON, as its bytes stream out. */
export interface StreamedAnswer {
  status: 200 | 206 | 304;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array> | null;
}

/** Headers that middleware has set before are replaced. */
export const streamAnswer = (c: Context<AppEnv>, { status, headers, body }: StreamedAnswer): Response =>
  c.newResponse(body, status, headers);
