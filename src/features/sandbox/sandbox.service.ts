import type { ChannelEvent, PhoneNetwork } from "../../channels/channel.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { parsePhone } from "../../shared/phone.ts";
import { requireConnection } from "../connections/connections.service.ts";
import * as repository from "./sandbox.repository.ts";

/** Events take the way that a real provider's webhooks take. */
const report = (ctx: Ctx, connectionId: string, event: ChannelEvent, delayMs: number) =>
  ctx.queues.events([{ v: 1, workspace: ctx.workspace, connectionId, event }], { delayMs });

/** A phone network that writes down what it is handed and answers through the events queue. */
export const phoneNetworkOf = (ctx: Ctx): PhoneNetwork => ({
  async hand(connection, message, reports) {
    await repository.insertDelivery(ctx, {
      id: ctx.newId("msg"),
      connectionId: connection.id,
      messageId: message.id,
      address: message.to,
      body: message.body,
      attempt: message.attempt,
      at: ctx.now(),
    });
    await Promise.all(reports.map(({ afterMs, event }) => report(ctx, connection.id, event, afterMs)));
  },
});

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
  await report(ctx, connectionId, event, 0);
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
