// The sandbox's names for messages. Separate from the channel, which loads on first use, because the simulation of people uses them
// too.
import type { OutboundMessage } from "../channel.ts";

export const providerIdOf = ({ id, attempt }: OutboundMessage) => `sandbox-${id}-${attempt}`;

/** The maximum number of attempts of a call. */
const MAX_ATTEMPTS = 6;

/** The keys that one of our messages, in or out, may have in the sandbox. */
export const keysOnSandbox = (messageId: string): string[] => [
  `sandbox-${messageId}`,
  ...Array.from({ length: MAX_ATTEMPTS }, (_, index) => `sandbox-${messageId}-${index + 1}`),
];

/** Our id of the message with this sandbox key; other keys are returned unchanged. */
export const messageIdOnSandbox = (key: string): string =>
  /^sandbox-(?<id>[^-]+)(?:-\d+)?$/.exec(key)?.groups?.["id"] ?? key;

/** The parts of an inbound message that has only content. */
export const noParts = { media: null, replyTo: [], isForwarded: false, referral: null };
