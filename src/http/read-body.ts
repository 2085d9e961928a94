// Reads the bodies of requests. One whose connection ends early is the caller's fault, and no error of ours.
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";

/** The error for a body that could not be read. A `TypeError` is a mistake of ours, such as reading a body twice. */
const bodyError = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof AppError
    ? error
    : new AppError("invalid_json", "The body did not arrive in full. Send the request again.");

/** The bytes of a body. Throws `invalid_json` if they do not arrive in full. */
export async function readBody(c: Context<AppEnv>): Promise<ArrayBuffer> {
  try {
    return await c.req.arrayBuffer();
  } catch (error) {
    throw bodyError(error);
  }
}

/** Throws `payload_too_large` for a larger body. A body of unknown length is read to count it, and may throw `invalid_json`. */
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
