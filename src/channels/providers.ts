// Facts about each provider, which Tidings needs without loading the provider's channel.
import type { OutboundContent } from "./content.ts";

/** The rate limit per person: `burst` messages at once, and one more message every `everyMs`. */
export interface PersonRule {
  burst: number;
  everyMs: number;
}

type ChannelKind = "official" | "unofficial";

interface ProviderFacts {
  name: string;
  channels: readonly [ChannelKind, ...ChannelKind[]];
  /**
   * True if every account has the same templates from the start. For other providers, syncs add each account's
   * templates.
   */
  hasFixedTemplates: boolean;
  messagesPerSecond: number;
  personRule: PersonRule | null;
  sendsInteractive: boolean;
  userId: RegExp;
}

export const providerIds = ["sandbox", "whatsapp_cloud", "waha"] as const;

export type Provider = (typeof providerIds)[number];

export const providerFacts: Record<Provider, ProviderFacts> = {
  sandbox: {
    name: "Sandbox",
    channels: ["official", "unofficial"],
    hasFixedTemplates: true,
    messagesPerSecond: 80,
    personRule: null,
    sendsInteractive: true,
    /** Any name except a number. */
    userId: /^(?!\+|\d{7,}$)\S+$/u,
  },
  whatsapp_cloud: {
    name: "WhatsApp Cloud API",
    channels: ["official"],
    hasFixedTemplates: false,
    messagesPerSecond: 80,
    /** Meta publishes this limit. */
    personRule: { burst: 45, everyMs: 6000 },
    sendsInteractive: true,
    /**
     * The person's country, a dot, and up to 128 letters and digits. An id for a group of businesses has `ENT.` after
     * the first dot.
     */
    userId: /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/,
  },
  waha: {
    name: "WAHA",
    channels: ["unofficial"],
    hasFixedTemplates: false,
    messagesPerSecond: 1,
    personRule: null,
    /** WAHA's documentation states that buttons do not work and that lists can stop working at any time. */
    sendsInteractive: false,
    userId: /^\d{5,20}@lid$/,
  },
};

/** Meta's limit of messages per second for a number that the WhatsApp Business app also uses. */
export const COEXISTENCE_RATE = 20;

const isKnownProvider = (provider: string): provider is Provider => providerIds.some((id) => id === provider);

export const findPersonRule = (provider: string): PersonRule | null =>
  isKnownProvider(provider) ? providerFacts[provider].personRule : null;

export const providersThatSend = ({ type }: Pick<OutboundContent, "type">): readonly string[] =>
  providerIds.filter((id) => type !== "interactive" || providerFacts[id].sendsInteractive);

export const providersWithUserId = (userId: string): readonly string[] =>
  providerIds.filter((id) => providerFacts[id].userId.test(userId));
