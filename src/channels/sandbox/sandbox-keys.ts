// The sandbox's names for messages, which the simulation of people uses too. Apart from the channel, which is loaded with its first use.
import type { OutboundMessage } from "../channel.ts";

export const providerIdOf = ({ id, attempt }: OutboundMessage) => `sandbox-${id}-${attempt}`;

/** Calls are tried so many times at most. */
const MAX_ATTEMPTS = 6;

/** The keys that a message of ours, of whichever side, may have on the sandbox. */
export const keysOnSandbox = (messageId: string): string[] => [
  `sandbox-${messageId}`,
  ...Array.from({ length: MAX_ATTEMPTS }, (_, index) => `sandbox-${messageId}-${index + 1}`),
];

/** Our id of the message that has this key on the sandbox; a key that is not the sandbox's stays as it is. */
export const messageIdOnSandbox = (key: string): string =>
  /^sandbox-(?<id>[^-]+)(?:-\d+)?$/.exec(key)?.groups?.["id"] ?? key;

/** Parts of a message that came in with nothing besides its content. */
export const noParts = { media: null, replyTo: [], isForwarded: false, referral: null };
