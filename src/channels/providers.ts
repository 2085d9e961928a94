// The facts about each provider that do not need its channel, which is loaded with its first use.
import type { OutboundContent } from "./content.ts";

/** A bucket of `burst` messages to one person, of which one comes back every `everyMs`. */
export interface PersonRule {
  burst: number;
  everyMs: number;
}

interface ProviderFacts {
  /** For people. */
  name: string;
  /** The rate of a new connection. */
  messagesPerSecond: number;
  personRule: PersonRule | null;
  sendsInteractive: boolean;
  /** The ids by which it names people without a number. */
  userId: RegExp;
}

export const providerIds = ["sandbox", "whatsapp_cloud", "waha"] as const;

type ProviderId = (typeof providerIds)[number];

export const providerFacts: Record<ProviderId, ProviderFacts> = {
  sandbox: {
    name: "Sandbox",
    messagesPerSecond: 80,
    personRule: null,
    sendsInteractive: true,
    /** People of any name, but for numbers. */
    userId: /^(?!\+|\d{7,}$)\S+$/u,
  },
  whatsapp_cloud: {
    name: "WhatsApp Cloud API",
    messagesPerSecond: 80,
    /** As Meta publishes it. */
    personRule: { burst: 45, everyMs: 6000 },
    sendsInteractive: true,
    /** The person's country, a dot and up to 128 letters and digits; ids of a group of businesses have ENT between. */
    userId: /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/,
  },
  waha: {
    name: "WAHA",
    messagesPerSecond: 1,
    personRule: null,
    /** By WAHA's documentation its buttons do not work, and its lists may stop working at any time. */
    sendsInteractive: false,
    userId: /^\d{5,20}@lid$/,
  },
};

const isProvider = (provider: string): provider is ProviderId => providerIds.some((id) => id === provider);

export const findPersonRule = (provider: string): PersonRule | null =>
  isProvider(provider) ? providerFacts[provider].personRule : null;

/** The providers that can send a content, in this version. */
export const providersThatSend = ({ type }: Pick<OutboundContent, "type">): readonly string[] =>
  providerIds.filter((id) => type !== "interactive" || providerFacts[id].sendsInteractive);

/** The providers whose ids of people are written like this one. */
export const providersWithUserId = (userId: string): readonly string[] =>
  providerIds.filter((id) => providerFacts[id].userId.test(userId));
