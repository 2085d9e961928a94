import type {
  Channel,
  ChannelEvent,
  InboundEvent,
  MessageError,
  OpenConnection,
  OutboundMessage,
  StatusEvent,
} from "../channel.ts";
import { sandboxTemplates } from "./templates.ts";

const STEP_MS = 1000;

type Report = { afterMs: number; event: ChannelEvent };

const fault = (code: MessageError["code"], message: string): MessageError => ({
  code,
  message,
  providerCode: "sandbox",
});

const providerIdOf = ({ id, attempt }: OutboundMessage) => `sandbox-${id}-${attempt}`;

/** Statuses in their order, a step apart. */
function statuses(message: OutboundMessage, now: number, ...names: StatusEvent["status"][]): Report[] {
  return names.map((status, index) => {
    const afterMs = (index + 1) * STEP_MS;
    const event: StatusEvent = {
      type: "status",
      messageId: message.id,
      providerMessageId: providerIdOf(message),
      providerKey: null,
      status,
      at: now + afterMs,
      error: null,
    };
    return { afterMs, event };
  });
}

function reply(message: OutboundMessage, now: number, body: string): Report {
  const event: InboundEvent = {
    type: "message",
    messageId: null,
    providerMessageId: `${providerIdOf(message)}-reply`,
    from: {
      phone: message.to.startsWith("+") ? message.to : null,
      userId: message.to.startsWith("+") ? null : message.to,
      name: null,
    },
    body,
    at: now + STEP_MS,
  };
  return { afterMs: STEP_MS, event };
}

/** The reports of what the recipient does, by the last four digits of the number. */
function reportsOf(message: OutboundMessage, now: number): Report[] {
  switch (message.to.slice(-4)) {
    case "0003":
      return statuses(message, now, "sent", "delivered", "read");
    case "0004":
      return [];
    case "0005":
      return [...statuses(message, now, "delivered", "read"), reply(message, now, "STOP")];
    case "0006":
      return [...statuses(message, now, "delivered", "read"), reply(message, now, message.body)];
    default:
      return statuses(message, now, "delivered", "read");
  }
}

function refusalOf({ to, attempt }: OutboundMessage) {
  const ending = to.slice(-4);
  if (ending === "0001")
    return { kind: "refused", error: fault("invalid_recipient", "The number is not on this network.") } as const;
  if (ending === "0002" && attempt <= 2)
    return { kind: "retry", error: fault("provider_unreachable", "The network is busy.") } as const;
  if (ending === "0007" && attempt === 1) {
    return {
      kind: "retry",
      error: fault("rate_limited", "Too many messages to the network."),
      afterMs: STEP_MS,
      scope: "recipient",
    } as const;
  }
  return null;
}

/** Delivers to a phone network that exists only in Tidings. */
export const sandbox: Channel = {
  async send(connection: OpenConnection, message: OutboundMessage, { phoneNetwork, now }) {
    const refusal = refusalOf(message);
    if (refusal !== null) return refusal;
    await phoneNetwork.hand(connection, message, reportsOf(message, now()));
    if (message.to.endsWith("0003"))
      return { kind: "lost", error: fault("provider_unreachable", "The answer was lost.") };
    return { kind: "accepted", providerMessageId: providerIdOf(message) };
  },
  test: () => Promise.resolve({ detail: "The sandbox is always reachable." }),
  syncTemplates: () => Promise.resolve([...sandboxTemplates]),
};
