import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";

export interface StreamedResponse {
  status: 200 | 206 | 304;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array> | null;
}

export const respondWithStream = (c: Context<AppEnv>, { status, headers, body }: StreamedResponse): Response =>
  c.newResponse(body, status, headers);

/**
 * Streams only as fast as the client reads. The first chunk is created before the response starts, so that an
 * error in it can still set the status.
 */
export async function streamText(chunks: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const first = await chunks.next();
  return new ReadableStream({
    start(controller) {
      if (first.done !== true) controller.enqueue(encoder.encode(first.value));
    },
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

export const csvHeaders = (fileName: string): Record<string, string> => ({
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": `attachment; filename="${fileName}"`,
  "Cache-Control": "no-store",
});
