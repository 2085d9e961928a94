import type { Context } from "hono";
import * as z from "zod";
import type { ByteBody } from "../shared/byte-body.ts";
import { AppError, type Fault, invalid } from "../shared/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { onceOf, validateHeader, validateQuery } from "./validate.ts";

const noBytes = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });

const announcedLength = z.coerce.number().int().min(0).nullable().catch(null);

/** The types of a body that holds a form, with the file as one of its fields. */
const FORM = /^\s*(?:multipart\/|application\/x-www-form-urlencoded)/i;
const NO_FORM =
  'Send the file itself as the body, not a form, with its own type: --data-binary @photo.png -H "Content-Type: image/png".';

/** As `validate`, of a request whose body is bytes that the handler streams. */
export async function validateBytes<Q extends z.ZodType>(
  c: Context<AppEnv>,
  { query: querySchema }: { query: Q },
): Promise<{ query: z.output<Q>; bytes: ByteBody }> {
  const faults: Fault[] = [];
  const key = validateHeader(c, true, faults);
  const query = validateQuery(c, querySchema, faults);
  if (query === null || faults.length > 0) throw invalid(faults);
  const contentType = c.req.header("Content-Type");
  if (contentType === undefined)
    throw new AppError("unsupported_media_type", "Send the file's type as its Content-Type, like image/jpeg.");
  if (FORM.test(contentType)) throw new AppError("unsupported_media_type", NO_FORM);
  const bytes: ByteBody = {
    stream: c.req.raw.body ?? noBytes(),
    contentType,
    length: announcedLength.parse(c.req.header("Content-Length") ?? null),
    onceFor: (sha256) => onceOf(c, key, () => Promise.resolve(sha256)),
  };
  return { query: query.data, bytes };
}
