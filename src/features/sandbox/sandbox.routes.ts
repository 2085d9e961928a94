import * as z from "zod";
import { workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import {
  outboxDeliveryContent,
  outboxDeliveryView,
  outboxQuery,
  receiptView,
  simulateBody,
} from "./sandbox.schemas.ts";
import { listOutbox, listReceipts, simulateInbound } from "./sandbox.service.ts";
import { iso } from "../../shared/time/iso-times.ts";

export const sandboxApi = createApi("Sandbox", workspaceApi);

sandboxApi.post(
  "/workspaces/:ws/connections/:id/simulate",
  {
    name: "manage.connections.simulate",
    summary: "Simulate an inbound message",
    description:
      "The message arrives through the queue, shortly after the response, as if a person had sent it. Send a file by the id of a stored file, or by its URL.",
    body: simulateBody,
    example: { from: "+14155550100", text: "Is my order on its way?", name: "Ada Okafor" },
    status: 202,
    response: { message_id: z.string() },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, body }) => ({
    message_id: await simulateInbound(ctx, params.id, body),
  }),
);

sandboxApi.get(
  "/workspaces/:ws/connections/:id/outbox",
  {
    name: "manage.connections.outbox",
    summary: "List messages sent to the sandbox's phone network, newest first",
    description:
      "Returns one row per attempt, so that you can detect duplicates. `receipts` lists the latest messages whose senders received a read receipt.",
    query: outboxQuery,
    response: {
      deliveries: z.array(outboxDeliveryView),
      receipts: z.array(receiptView),
      next_cursor: z.string().nullable(),
    },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, query: { to, limit, cursor } }) => {
    const [rows, receipts] = await Promise.all([
      listOutbox(ctx, { connectionId: params.id, address: to, limit, before: cursor?.[0] }),
      listReceipts(ctx, params.id),
    ]);
    const { items, nextCursor } = page(rows, limit, (row) => [row.id]);
    const deliveries = items.map((row) => {
      const sent = outboxDeliveryContent.safeParse(parseJsonOrNull(row.content ?? "")).data;
      return {
        message_id: row.messageId,
        to: row.address,
        body: row.body,
        type: sent?.type ?? "text",
        content: sent?.content ?? null,
        reply_to: sent?.reply_to ?? null,
        attempt: row.attempt,
        at: iso(row.at),
      };
    });
    return { deliveries, receipts, next_cursor: nextCursor };
  },
);
