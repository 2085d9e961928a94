import * as z from "zod";
import { cursorParam, limitParam, timestamp, wholeNumber } from "../../http/fields.ts";
import { iso } from "../../shared/time/iso-times.ts";
import { DAYS_OF_USAGE_KEPT, type KeyDay } from "./request-log.usage.ts";
import type { LoggedRequest } from "./request-log.recent.ts";

export const listRequestsQuery = z.strictObject({
  key_id: z.string().min(1).max(100).optional().meta({ description: "Only requests made with this key." }),
  status: z
    .string()
    .regex(/^(?:[1-5]\d\d|[1-5]xx)$/, "Must be a status, like 404, or a class of statuses, like 4xx.")
    .optional()
    .meta({ description: "Status, like `404`, or class of statuses, like `4xx`." }),
  path: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "Only requests whose `path` or `route` contains this text." }),
  limit: limitParam(50),
  cursor: cursorParam(z.tuple([z.number()])),
});

export const requestUsageQuery = z.strictObject({
  days: wholeNumber(1, DAYS_OF_USAGE_KEPT)
    .default(30)
    .meta({ description: "Number of days, including today.", override: { default: 30 } }),
});

export const loggedRequestView = z
  .strictObject({
    number: z.int().meta({ description: "Position of the request in the workspace's log." }),
    created_at: timestamp,
    key_id: z.string(),
    method: z.string(),
    route: z
      .string()
      .nullable()
      .meta({ description: "Path of the endpoint, like `/api/v1/contacts/:id`. Null if the endpoint does not exist." }),
    path: z.string().meta({ description: "Requested path. `…` replaces parts that could identify a person." }),
    query: z.array(z.string()).meta({ description: "Names of the query parameters. Their values are not stored." }),
    status: z.int(),
    error_code: z.string().nullable(),
    duration_ms: z.int().meta({ description: "Time until the response started." }),
    request_id: z.string(),
    repeats: z.int().meta({
      description:
        "Number of further requests of this key to this endpoint in the same minute. All were rejected with `rate_limited`, and none has its own entry.",
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
    date: z.iso.date().meta({ description: "Day in UTC." }),
    key_id: z.string(),
    requests: z.int(),
    errors: z.int().meta({ description: "Number of requests with a status of 400 or higher." }),
  })
  .meta({ id: "KeyUsage" });

export const presentKeyDay = ({ day, keyId, requests, errors }: KeyDay): z.infer<typeof keyDayView> => ({
  date: day,
  key_id: keyId,
  requests,
  errors,
});
