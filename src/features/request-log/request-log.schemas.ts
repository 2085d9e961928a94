import * as z from "zod";
import { cursorParam, limitParam, timestamp, wholeNumber } from "../../http/fields.ts";
import { DAYS_OF_USAGE_KEPT, type KeyDay } from "./request-log.usage.ts";
import type { LoggedRequest } from "./request-log.recent.ts";
import { iso } from "../../shared/time/iso-times.ts";

export const listRequestsQuery = z.strictObject({
  key_id: z.string().min(1).max(100).optional().meta({ description: "Requests of this key only." }),
  status: z
    .string()
    .regex(/^(?:[1-5]\d\d|[1-5]xx)$/, "A status like 404, or a class of them like 4xx.")
    .optional()
    .meta({ description: "A status like `404`, or a class of them like `4xx`." }),
  path: z.string().min(1).max(200).optional().meta({ description: "A part of the `path`, or of the `route`." }),
  limit: limitParam(50),
  cursor: cursorParam(z.tuple([z.number()])),
});

export const requestUsageQuery = z.strictObject({
  days: wholeNumber(1, DAYS_OF_USAGE_KEPT)
    .default(30)
    .meta({ description: "How many days to count, today among them.", override: { default: 30 } }),
});

export const loggedRequestView = z
  .strictObject({
    number: z.int().meta({ description: "Its number in the log of the workspace." }),
    created_at: timestamp,
    key_id: z.string(),
    method: z.string(),
    route: z
      .string()
      .nullable()
      .meta({ description: "The endpoint's path, like `/api/v1/contacts/:id`; null where there is no such endpoint." }),
    path: z.string().meta({ description: "As it was asked for. What could name a person is replaced by `…`." }),
    query: z.array(z.string()).meta({ description: "The names of the query's parameters. Their values are not kept." }),
    status: z.int(),
    error_code: z.string().nullable(),
    duration_ms: z.int().meta({ description: "Until the answer began." }),
    request_id: z.string(),
    repeats: z.int().meta({
      description:
        "How many more requests with this key to this endpoint were refused with `rate_limited` in the same minute. They are no entries of their own.",
    }),
  })
  .meta({ id: "LoggedRequest" });

export const presentLoggedRequest = (request: LoggedRequest): z.infer<typeof loggedRequestView> => ({
  number: request.number,
  created_at: iso(request.at),
  key_id: request.keyId,
  method: request.method,
  route: request.route,
  path: request.path,
  query: request.query,
  status: request.status,
  error_code: request.errorCode,
  duration_ms: request.durationMs,
  request_id: request.requestId,
  repeats: request.repeats ?? 0,
});

export const keyDayView = z
  .strictObject({
    date: z.iso.date().meta({ description: "A day in UTC." }),
    key_id: z.string(),
    requests: z.int(),
    errors: z.int().meta({ description: "Those answered with a status of 400 or more." }),
  })
  .meta({ id: "KeyUsage" });

export const presentKeyDay = ({ day, keyId, requests, errors }: KeyDay): z.infer<typeof keyDayView> => ({
  date: day,
  key_id: keyId,
  requests,
  errors,
});
