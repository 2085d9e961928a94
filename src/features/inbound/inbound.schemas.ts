import * as z from "zod";
import { workspaceRef } from "../../shared/access/workspace.ts";
import { messageErrorCodes } from "../../channels/channel.ts";
import { deliveryStatus } from "../../channels/delivery-status.ts";
import { connectionStatus } from "../../channels/connection-status.ts";
import { inboundParts } from "../../channels/content.ts";
import { templateStatus } from "../../channels/templates/channel-templates.ts";
import { timestamp } from "../../http/fields.ts";
import { queuedSettlement } from "../messages/settle/settle-or-queue.ts";
import type { DeadEvent } from "./dead-events.service.ts";
import { iso } from "../../shared/time/iso-times.ts";

const error = z.object({ code: z.enum(messageErrorCodes), message: z.string(), providerCode: z.string().nullable() });

const statusEvent = z.object({
  type: z.literal("status"),
  messageId: z.string().nullable(),
  providerMessageId: z.string(),
  providerKey: z.string().nullable().default(null),
  status: deliveryStatus,
  at: z.number(),
  error: error.nullable(),
  price: z
    .object({ billable: z.boolean().nullable(), category: z.string().nullable(), type: z.string().nullable() })
    .nullable()
    .default(null),
  recipient: z.object({ phone: z.string().nullable(), userId: z.string() }).nullable().default(null),
  sentTo: z.string().nullable().default(null),
});

const person = z.object({
  phone: z.string().nullable(),
  userId: z.string().nullable(),
  name: z.string().nullable(),
  username: z.string().nullable().default(null),
  aliases: z.array(z.string()).default([]),
  isPhoneHidden: z.boolean().default(false),
});

const inboundEvent = z.object({
  type: z.literal("message"),
  messageId: z.string().nullable(),
  providerMessageId: z.string(),
  from: person,
  address: z.string().nullable().default(null),
  body: z.string(),
  parts: inboundParts.nullable().default(null),
  at: z.number(),
  isStandby: z.boolean().default(false),
});

const ownEvent = z.object({
  type: z.literal("own"),
  providerMessageId: z.string(),
  providerKey: z.string(),
  to: person,
  body: z.string(),
  parts: inboundParts.nullable().default(null),
  at: z.number(),
  viaApi: z.boolean().nullable(),
  isStandby: z.boolean().default(false),
});

const revisionEvent = z.object({
  type: z.literal("revision"),
  kind: z.enum(["edit", "revoke"]),
  revisionId: z.string(),
  providerKeys: z.array(z.string()),
  by: person.nullable(),
  to: person.nullable().default(null),
  body: z.string().nullable(),
  parts: inboundParts.nullable().default(null),
  at: z.number(),
});

const names = person.pick({ phone: true, userId: true });

const identityEvent = z.object({
  type: z.literal("identity"),
  noticeId: z.string(),
  before: names,
  now: names,
  at: z.number(),
});

const preferenceEvent = z.object({
  type: z.literal("preference"),
  from: person,
  marketing: z.enum(["stop", "resume"]),
  at: z.number(),
});

const noticeEvent = z.object({
  type: z.literal("connection"),
  status: connectionStatus.nullable(),
  detail: z.string().nullable(),
  messagingLimit: z.string().optional(),
  at: z.number(),
});

const templateEvent = z.object({
  type: z.literal("template"),
  providerId: z.string(),
  name: z.string(),
  language: z.string(),
  status: templateStatus.nullable(),
  reason: z.string().nullable(),
  /** Missing in events queued by earlier versions, like `category`. */
  quality: z.string().nullable().default(null),
  category: z.string().nullable().default(null),
  at: z.number(),
});

export const eventEnvelope = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  connectionId: z.string(),
});

/** Passed between versions of the Worker, so fields may only be added. */
export const eventMessage = z.union([
  eventEnvelope.extend({
    event: z.discriminatedUnion("type", [
      statusEvent,
      inboundEvent,
      ownEvent,
      identityEvent,
      revisionEvent,
      preferenceEvent,
      noticeEvent,
      templateEvent,
    ]),
    lookups: z.number().default(0),
  }),
  eventEnvelope.extend({ events: z.array(statusEvent) }),
  eventEnvelope.extend({ settlement: queuedSettlement }),
]);

export type EventMessage = z.infer<typeof eventMessage>;

export const deadEventView = z
  .strictObject({
    id: z.string(),
    connection_id: z.string().nullable(),
    queue: z.string(),
    reason: z.string(),
    payload: z.unknown().meta({ description: "Message of the queue." }),
    created_at: timestamp,
  })
  .meta({ id: "DeadEvent" });

const withConnection = z.object({ connectionId: z.string() });

export const presentDeadEvent = (row: DeadEvent): z.infer<typeof deadEventView> => ({
  id: row.id,
  connection_id: withConnection.safeParse(row.payload).data?.connectionId ?? null,
  queue: row.queue,
  reason: row.reason,
  payload: row.payload,
  created_at: iso(row.createdAt),
});
