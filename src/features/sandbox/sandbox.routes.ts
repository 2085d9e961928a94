import * as z from "zod";
import { createApi, workspaceApi } from "../../http/endpoint.ts";
import { iso, page } from "../../http/fields.ts";
import { deliveryView, outboxQuery, simulateBody } from "./sandbox.schemas.ts";
import { listOutbox, simulateInbound } from "./sandbox.service.ts";

export const sandboxApi = createApi("Sandbox", workspaceApi);

sandboxApi.post(
  "/workspaces/:ws/connections/:id/simulate",
  {
    summary: "Play an inbound message",
    description: "It arrives as one from a phone would: by the queue, a moment after this is answered.",
    body: simulateBody,
    example: { from: "+14155550100", text: "Is my order on its way?", name: "Ada Okafor" },
    status: 202,
    response: { message_id: z.string() },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, body }) => ({
    message_id: await simulateInbound(ctx, params.id, { ...body, name: body.name ?? null }),
  }),
);

sandboxApi.get(
  "/workspaces/:ws/connections/:id/outbox",
  {
    summary: "List what the sandbox's phone network was handed, latest first",
    description: "A row for every attempt: the ledger against which duplicates are counted.",
    query: outboxQuery,
    response: { deliveries: z.array(deliveryView), next_cursor: z.string().nullable() },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, query: { to, limit, cursor } }) => {
    const rows = await listOutbox(ctx, { connectionId: params.id, address: to, limit, before: cursor?.[0] });
    const { items, nextCursor } = page(rows, limit, (row) => [row.id]);
    const deliveries = items.map((row) => ({
      message_id: row.messageId,
      to: row.address,
      body: row.body,
      attempt: row.attempt,
      at: iso(row.at),
    }));
    return { deliveries, next_cursor: nextCursor };
  },
);
