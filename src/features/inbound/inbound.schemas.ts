import * as z from "zod";
import { workspaceRef } from "../../shared/access/workspace.ts";
import { channelEvent, statusEvent } from "../../channels/channel-events.ts";
import { timestamp } from "../../http/fields.ts";
import { queuedSettlement } from "../messages/settle/settle-or-queue.ts";
import type { DeadEvent } from "./dead-events.service.ts";
import { iso } from "../../shared/time/iso-times.ts";

/** The workspace and connection in every message of the events and statuses queues. */
export const eventEnvelope = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  connectionId: z.string(),
});

/** Different versions of the Worker exchange these messages, so fields can only be added. */
export const eventMessage = z.union([
  eventEnvelope.extend({
    event: channelEvent,
    /** The number of failed look-ups of the sender's hidden number. */
    lookups: z.number().default(0),
  }),
  eventEnvelope.extend({
    events: z.array(statusEvent),
    /** The id of a status inbox that must hand over its statuses. */
    inboxId: z.string().optional(),
    /** The number of failed checks of this inbox. */
    failures: z.number().optional(),
  }),
  eventEnvelope.extend({ settlement: queuedSettlement }),
]);

export type EventMessage = z.infer<typeof eventMessage>;

export const deadEventView = z
  .strictObject({
    id: z.string(),
    connection_id: z.string().nullable(),
    queue: z.string(),
    reason: z.string(),
    payload: z.unknown().meta({ description: "The provider's event, as Tidings queued it." }),
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
