import type { Context } from "hono";
import * as z from "zod";
import type { AppEnv } from "../../http/app-env.ts";
import { clientNetwork } from "../../http/request/headers.ts";
import { workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { cursorParam, limitParam, page } from "../../http/fields.ts";
import type { Route } from "../../http/mount.ts";
import { limitMegabytes, readBody } from "../../http/request/read-body.ts";
import { AppError } from "../../shared/errors.ts";
import { acceptWebhook, answerChallenge } from "./accept-webhook.ts";
import { deadEventView, presentDeadEvent } from "./inbound.schemas.ts";
import { listDeadEvents, replayDeadEvent } from "./dead-events.service.ts";

const callerOf = (c: Context<AppEnv>) => ({
  connectionId: c.req.param("connection_id") ?? "",
  mayLookUp: async () => {
    const { success } = await c.env.LOOKUP_LIMITER.limit({ key: clientNetwork(c) });
    if (!success)
      throw new AppError("unavailable", "Too many look-ups from this address. Try again shortly.", null, 60);
  },
});

/** Webhooks of providers. The signature covers the raw bytes, so the body is not parsed automatically. */
export const hookRoutes: Route[] = [
  {
    method: "get",
    path: "/hooks/:connection_id",
    handlers: [async (c) => c.text(await answerChallenge(c.var.base, callerOf(c), c.req.query()))],
  },
  {
    method: "post",
    path: "/hooks/:connection_id",
    handlers: [
      limitMegabytes(3),
      async (c) => {
        const request = { bytes: new Uint8Array(await readBody(c)), headers: c.req.raw.headers };
        return c.json({ success: true, events: await acceptWebhook(c.var.base, callerOf(c), request) });
      },
    ],
  },
];

export const inboundApi = createApi("Provider events", workspaceApi);

inboundApi.get(
  "/workspaces/:ws/events/dead",
  {
    name: "manage.deadEvents.list",
    summary: "List events that could not be processed, newest first",
    description:
      "Returns events that a provider sent and that failed at every attempt. Events are deleted after 30 days. If the database could not store an event, the event stays in a bucket until it is replayed.",
    query: z.strictObject({ limit: limitParam(), cursor: cursorParam(z.tuple([z.number(), z.string()])) }),
    response: { events: z.array(deadEventView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const rows = await listDeadEvents(ctx, limit, cursor);
    const { items, nextCursor } = page(rows, limit, (row) => [row.createdAt, row.id]);
    return { events: items.map(presentDeadEvent), next_cursor: nextCursor };
  },
);

inboundApi.post(
  "/workspaces/:ws/events/dead/:id/replay",
  {
    name: "manage.deadEvents.replay",
    summary: "Retry a dead event",
    description:
      "Removes the event from the list and retries it. After ten failures, in about 20 minutes, the event returns to the list. While storage is down, retries continue for days instead.",
    status: 202,
    response: { event: deadEventView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ event: presentDeadEvent(await replayDeadEvent(ctx, params.id)) }),
);
