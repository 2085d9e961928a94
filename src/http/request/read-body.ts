import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";
import type { ByteBody } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import type { AppEnv } from "../app-env.ts";

/**
 * Reading a body fails if the client closes its connection early. This returns an `AppError` for it, because
 * other errors are logged as our own. A `TypeError` stays as it is, because it is a bug in our code, such as
 * reading a body twice.
 */
const bodyError = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof AppError
    ? error
    : new AppError("invalid_json", "The body is incomplete. Send the request again.");

export async function readBody(c: Context<AppEnv>): Promise<ArrayBuffer> {
  try {
    return await c.req.arrayBuffer();
  } catch (error) {
    throw bodyError(error);
  }
}

/**
 * Rejects bodies that are too large. Without a `Content-Length`, `bodyLimit` reads the body to count its bytes. If
 * that fails, this throws `invalid_json`.
 */
export function limitBody(maxBytes: number, message: string): MiddlewareHandler<AppEnv> {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new AppError("payload_too_large", message);
    },
  });
  return async (c, next) => {
    let isRead = false;
    const handle = () => {
      isRead = true;
      return next();
    };
    try {
      return await limit(c, handle);
    } catch (error) {
      throw isRead ? error : bodyError(error);
    }
  };
}

const MEGABYTE = 1_048_576;

export const limitMegabytes = (megabytes: number): MiddlewareHandler<AppEnv> =>
  limitBody(megabytes * MEGABYTE, `A body can have at most ${megabytes} MB.`);

export const limitJson = limitMegabytes(1);

const noBytes = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });

const announcedLength = z.coerce.number().int().min(0).nullable().catch(null);

const FORM = /^\s*(?:multipart\/|application\/x-www-form-urlencoded)/i;
const NO_FORM =
  'Send the file itself as the body, not a form, with its own type: --data-binary @photo.png -H "Content-Type: image/png".';

export function streamedBody(c: Context<AppEnv>): Omit<ByteBody, "onceFor"> {
  const contentType = c.req.header("Content-Type");
  if (contentType === undefined)
    throw new AppError("unsupported_media_type", "Send the file's type as its Content-Type, like image/jpeg.");
  if (FORM.test(contentType)) throw new AppError("unsupported_media_type", NO_FORM);
  const length = announcedLength.parse(c.req.header("Content-Length") ?? null);
  return { stream: c.req.raw.body ?? noBytes(), contentType, length };
}
