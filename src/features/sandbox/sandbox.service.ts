import type { ChannelEvent, PhoneNetwork } from "../../channels/channel.ts";
import { bundleEvents } from "../../channels/event-bundles.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { parsePhone } from "../../shared/phone.ts";
import { requireConnection } from "../connections/connections.service.ts";
import {
  deleteSandboxDeliveriesBefore,
  insertSandboxDeliveries,
  listSandboxDeliveries,
  type OutboxFilter,
  type SandboxDelivery,
} from "./sandbox.sql.ts";

/** The events take the queue that those of real providers' webhooks take. */
const eventMessages = (ctx: Ctx, connectionId: string, events: ChannelEvent[]) =>
  bundleEvents(events).map((bundle) => ({ v: 1, workspace: ctx.workspace, connectionId, ...bundle }));

/** Messages that are handed over in one turn of the event loop. */
interface DeliveryBatch {
  deliveries: SandboxDelivery[];
  /** Events to queue, by connection and delay. */
  reports: Map<string, { connectionId: string; delayMs: number; events: ChannelEvent[] }>;
}

/**
 * A phone network that stores what it is handed and reports through the events queue. Messages of one turn of the event loop are
 * stored in one write, which all of them await: a message counts as handed over only once it is stored.
 */
export function createPhoneNetwork(ctx: Ctx): PhoneNetwork {
  let open: (DeliveryBatch & { stored: Promise<void> }) | null = null;
  const store = async ({ deliveries, reports }: DeliveryBatch): Promise<void> => {
    await Promise.resolve(); // The other messages of this turn are added meanwhile.
    open = null;
    await insertSandboxDeliveries(ctx, deliveries);
    await Promise.all(
      [...reports.values()].map(({ connectionId, delayMs, events }) =>
        ctx.queues.events(eventMessages(ctx, connectionId, events), { delayMs }),
      ),
    );
  };
  const openBatch = () => {
    const batch: DeliveryBatch = { deliveries: [], reports: new Map() };
    return { ...batch, stored: store(batch) };
  };
  return {
    hand(connection, message, reports) {
      open ??= openBatch();
      open.deliveries.push({
        id: ctx.newId("msg"),
        connectionId: connection.id,
        messageId: message.id,
        address: message.to,
        body: message.body,
        attempt: message.attempt,
        at: ctx.now(),
      });
      for (const { afterMs: delayMs, event } of reports) {
        const key = `${connection.id} ${delayMs}`;
        const due = open.reports.get(key) ?? { connectionId: connection.id, delayMs, events: [] };
        due.events.push(event);
        open.reports.set(key, due);
      }
      return open.stored;
    },
  };
}

function requireSandbox(provider: string): void {
  if (provider !== "sandbox")
    throw new AppError("invalid_state", "This works on sandbox connections only.", { status: provider });
}

/** Simulates a message from a person; gives the id that it will be stored under. */
export async function simulateInbound(
  ctx: Ctx,
  connectionId: string,
  input: { from: string; text: string; name: string | null },
): Promise<string> {
  requireSandbox((await requireConnection(ctx, connectionId)).provider);
  const messageId = ctx.newId("msg");
  const phone = parsePhone(input.from);
  const from = { phone, userId: phone === null ? input.from : null, name: input.name };
  const event: ChannelEvent = {
    type: "message",
    messageId,
    providerMessageId: `sandbox-${messageId}`,
    from,
    body: input.text,
    at: ctx.now(),
  };
  await ctx.queues.events(eventMessages(ctx, connectionId, [event]));
  return messageId;
}

/** Messages that the phone network was handed, latest first, one beyond `limit` where there are more. */
export async function listOutbox(ctx: Ctx, filter: OutboxFilter): Promise<SandboxDelivery[]> {
  const address = filter.address === undefined ? undefined : (parsePhone(filter.address) ?? filter.address);
  const found = await listSandboxDeliveries(ctx, { ...filter, address });
  if (found === null) throw notFound("connection");
  requireSandbox(found.provider);
  return found.deliveries;
}

/** How long the outbox shows a message. */
const KEPT_MS = 30 * DAY_MS;

export const deleteOldDeliveries = (base: BaseCtx, shard: number): Promise<void> =>
  deleteSandboxDeliveriesBefore(base.shard(shard), base.now() - KEPT_MS);
