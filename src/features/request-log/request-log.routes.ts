import * as z from "zod";
import { workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  keyDayView,
  listRequestsQuery,
  loggedRequestView,
  presentKeyDay,
  presentLoggedRequest,
  requestUsageQuery,
} from "./request-log.schemas.ts";
import { countRequests, listRequests } from "./request-log.service.ts";

export const requestLogApi = createApi("API keys", workspaceApi);

requestLogApi.get(
  "/workspaces/:ws/requests",
  {
    name: "manage.requests.list",
    summary: "List API requests, newest first",
    description:
      "Returns the last 1,000 requests made with the workspace's keys, including rejected requests. A request appears a second or two after its response. Requests beyond the rate limit share one entry per key, endpoint and minute. Bodies and query values are never stored.",
    query: listRequestsQuery,
    response: { requests: z.array(loggedRequestView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor, key_id: keyId, status, path } }) => {
    const rows = await listRequests(ctx, { filter: { keyId, status, path }, limit, before: cursor?.[0] });
    const { items, nextCursor } = page(rows, limit, ({ number }) => [number]);
    return { requests: items.map(presentLoggedRequest), next_cursor: nextCursor };
  },
);

requestLogApi.get(
  "/workspaces/:ws/requests/usage",
  {
    name: "manage.requests.usage",
    summary: "Count API requests",
    description:
      "Returns the number of requests per key and day, for the last days including today. The oldest day comes first.",
    query: requestUsageQuery,
    response: { usage: z.array(keyDayView) },
  },
  async (ctx, { query: { days } }) => ({ usage: (await countRequests(ctx, days)).map(presentKeyDay) }),
);
