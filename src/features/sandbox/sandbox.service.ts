import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { insertSelect } from "../../db/columns.ts";
import { jsonLists } from "../../db/idioms.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { sandboxDeliveries } from "../../db/schema/index.ts";
import { transact } from "../../db/statement.ts";
import type { Ctx, Database, BaseCtx } from "../../shared/context.ts";
import type { OutboundMessage, PhoneNetwork } from "../../channels/channel.ts";
import type { ChannelEvent } from "../../channels/channel-events.ts";
import { type OutboundTemplate, presentTemplateParts } from "../../channels/templates/channel-templates.ts";
import { queueEvents } from "../../channels/queue-events.ts";
import { messageIdOnSandbox, loadReceipts } from "../../channels/sandbox/sandbox-records.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { parsePhone } from "../../shared/text/phone.ts";
import { selectConnection } from "../connections/connections.sql.ts";
import { requireConnection } from "../connections/connections.service.ts";
import type { SimulatedMessage } from "./sandbox.schemas.ts";
import { simulatedContent } from "./simulated-content.ts";

type SandboxDelivery = typeof sandboxDeliveries.$inferSelect;

/** Inserts a row for each delivery, also if a message is delivered twice, so that tests can count duplicates. */
async function insertSandboxDeliveries(ctx: Ctx, rows: SandboxDelivery[]): Promise<void> {
  const values = Object.keys(getTableColumns(sandboxDeliveries)).map((name) => [name, sql`e.value ->> ${name}`]);
  const insert = (json: string) =>
    insertSelect(sandboxDeliveries, Object.fromEntries(values), sql`FROM json_each(${json}) e`);
  await transact(ctx.db, { deliveries: jsonLists(rows).map(insert) });
}

interface OutboxFilter {
  connectionId: string;
  address: string | undefined;
  limit: number;
  before: string | undefined;
}

async function listSandboxDeliveries(
  ctx: Ctx,
  { connectionId, address, limit, before }: OutboxFilter,
): Promise<{ provider: string; deliveries: SandboxDelivery[] } | null> {
  const { connection, deliveries } = await transact(ctx.db, {
    connection: selectConnection(ctx, connectionId),
    deliveries: ctx.db
      .select()
      .from(sandboxDeliveries)
      .where(
        and(
          eq(sandboxDeliveries.connectionId, connectionId),
          address === undefined ? undefined : eq(sandboxDeliveries.address, address),
          before === undefined ? undefined : lt(sandboxDeliveries.id, before),
        ),
      )
      .orderBy(desc(sandboxDeliveries.id))
      .limit(limit + 1),
  });
  const provider = connection[0]?.provider;
  return provider === undefined ? null : { provider, deliveries };
}

const deleteSandboxDeliveriesBefore = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, sandboxDeliveries, lt(sandboxDeliveries.at, before));

const templateOf = (template: OutboundTemplate) => ({ type: "template", content: presentTemplateParts(template) });

function contentOfDelivery({ content, replyTo, template }: OutboundMessage): string | null {
  if (content === undefined && replyTo === undefined && template === undefined) return null;
  return JSON.stringify({
    ...(content ?? (template === undefined ? { type: "text", content: null } : templateOf(template))),
    ...(replyTo !== undefined && { reply_to: messageIdOnSandbox(replyTo) }),
  });
}

interface DeliveryBatch {
  deliveries: SandboxDelivery[];
  reports: Map<string, { connectionId: string; delayMs: number; events: ChannelEvent[] }>;
}

/**
 * Deliveries that are made at the same time are stored in one write. Then the simulated phones report them through the
 * same queues as real webhooks.
 */
export function createPhoneNetwork(ctx: Ctx): PhoneNetwork {
  let open: (DeliveryBatch & { stored: Promise<void> }) | null = null;
  const store = async ({ deliveries, reports }: DeliveryBatch): Promise<void> => {
    await Promise.resolve();
    open = null;
    await insertSandboxDeliveries(ctx, deliveries);
    await Promise.all(
      [...reports.values()].map(({ connectionId, delayMs, events }) =>
        queueEvents(ctx, { workspace: ctx.workspace, connectionId }, events, { delayMs }),
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
        content: contentOfDelivery(message),
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
    throw new AppError("invalid_state", "This operation requires a sandbox connection.", { status: provider });
}

export async function simulateInbound(ctx: Ctx, connectionId: string, input: SimulatedMessage): Promise<string> {
  requireSandbox((await requireConnection(ctx, connectionId)).provider);
  const messageId = ctx.newId("msg");
  const phone = parsePhone(input.from);
  const from = { phone, userId: phone === null ? input.from : null, name: input.name ?? null };
  const event: ChannelEvent = {
    type: "message",
    messageId,
    providerMessageId: `sandbox-${messageId}`,
    from,
    ...simulatedContent(input),
    at: ctx.now(),
  };
  await queueEvents(ctx, { workspace: ctx.workspace, connectionId }, [event]);
  return messageId;
}

export const listReceipts = async (ctx: Ctx, connectionId: string) =>
  (await loadReceipts(ctx.cache, connectionId)).map(({ from, providerMessageId }) => ({
    from,
    message_id: messageIdOnSandbox(providerMessageId),
  }));

export async function listOutbox(ctx: Ctx, filter: OutboxFilter): Promise<SandboxDelivery[]> {
  const address = filter.address === undefined ? undefined : (parsePhone(filter.address) ?? filter.address);
  const found = await listSandboxDeliveries(ctx, { ...filter, address });
  if (found === null) throw notFound("connection");
  requireSandbox(found.provider);
  return found.deliveries;
}

const KEPT_MS = 30 * DAY_MS;

export const deleteOldDeliveries = (base: BaseCtx, shard: number): Promise<void> =>
  deleteSandboxDeliveriesBefore(base.shard(shard), base.now() - KEPT_MS);
