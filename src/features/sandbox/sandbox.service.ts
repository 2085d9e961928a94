import type { ChannelEvent, PhoneNetwork } from "../../channels/channel.ts";
import { bundleEvents } from "../../channels/event-bundles.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { parsePhone } from "../../shared/phone.ts";
import { requireConnection } from "../connections/connections.service.ts";
import * as repository from "./sandbox.sql.ts";

/** Events take the way that a real provider's webhooks take. */
const eventMessages = (ctx: Ctx, connectionId: string, events: ChannelEvent[]) =>
  bundleEvents(events).map((bundle) => ({ v: 1, workspace: ctx.workspace, connectionId, ...bundle }));

/** What was handed over in one turn, and the one write that all of it awaits. */
interface Handover {
  rows: repository.DeliveryRow[];
  /** By connection, and by when they are due. */
  reports: Map<string, { connectionId: string; delayMs: number; events: ChannelEvent[] }>;
  taken: Promise<void>;
}

/**
 * A phone network that writes down what it is handed and answers through the events queue. What comes in the same turn is
 * written together, and fares together; until it is written, nobody was handed anything.
 */
export function createPhoneNetwork(ctx: Ctx): PhoneNetwork {
  let open: Handover | null = null;
  const take = async ({ rows, reports }: Pick<Handover, "rows" | "reports">): Promise<void> => {
    await Promise.resolve(); // The others of this turn come along.
    open = null;
    await repository.insertDeliveries(ctx, rows);
    const due = [...reports.values()];
    await Promise.all(
      due.map(({ connectionId, delayMs, events }) =>
        ctx.queues.events(eventMessages(ctx, connectionId, events), { delayMs }),
      ),
    );
  };
  const begin = (): Handover => {
    const started: Pick<Handover, "rows" | "reports"> = { rows: [], reports: new Map() };
    return { ...started, taken: take(started) };
  };
  return {
    hand(connection, message, reports) {
      open ??= begin();
      open.rows.push({
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
      return open.taken;
    },
  };
}

function checkSandbox(provider: string): void {
  if (provider !== "sandbox")
    throw new AppError("invalid_state", "This works on sandbox connections only.", { status: provider });
}

/** Plays a message from a person; gives the id it will be stored under. */
export async function simulateInbound(
  ctx: Ctx,
  connectionId: string,
  input: { from: string; text: string; name: string | null },
): Promise<string> {
  checkSandbox((await requireConnection(ctx, connectionId)).provider);
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

/** What the phone network was handed, latest first, one beyond `limit` where there is more. */
export async function listOutbox(ctx: Ctx, filter: repository.OutboxFilter): Promise<repository.DeliveryRow[]> {
  const address = filter.address === undefined ? undefined : (parsePhone(filter.address) ?? filter.address);
  const found = await repository.listDeliveries(ctx, { ...filter, address });
  if (found === null) throw notFound("connection");
  checkSandbox(found.provider);
  return found.deliveries;
}

/** How long the outbox shows what was handed over. */
const KEPT_MS = 30 * DAY_MS;

export const deleteOldDeliveries = (base: BaseCtx, shard: number): Promise<void> =>
  repository.deleteDeliveriesBefore(base.shard(shard), base.now() - KEPT_MS);
