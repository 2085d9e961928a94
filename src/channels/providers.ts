// Facts that Tidings needs about a provider before it loads the provider's channel. Channels are loaded lazily, so
// these facts are in a file of their own.
import type { OutboundContent } from "./content.ts";

/** One person can receive `burst` messages at once, and then one more message every `everyMs`. */
export interface PersonRule {
  burst: number;
  everyMs: number;
}

type ChannelKind = "official" | "unofficial";

interface ProviderFacts {
  name: string;
  channels: readonly [ChannelKind, ...ChannelKind[]];
  /**
   * True if the provider gives every account the same templates. Otherwise Tidings syncs the templates of
   * each account.
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
    userId: /^(?!\+|\d{7,}$)\S+$/u,
  },
  whatsapp_cloud: {
    name: "WhatsApp Cloud API",
    channels: ["official"],
    hasFixedTemplates: false,
    messagesPerSecond: 80,
    /** The limit that Meta publishes. */
    personRule: { burst: 45, everyMs: 6000 },
    sendsInteractive: true,
    userId: /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/,
  },
  waha: {
    name: "WAHA",
    channels: ["unofficial"],
    hasFixedTemplates: false,
    messagesPerSecond: 1,
    personRule: null,
    /**
     * False, because WAHA's documentation states that buttons do not work and that lists can stop working at
     * any time.
     */
    sendsInteractive: false,
    userId: /^\d{5,20}@lid$/,
  },
};

/** Messages per second of a number that is also used in the WhatsApp Business app. Meta sets this limit. */
export const COEXISTENCE_RATE = 20;

const isKnownProvider = (provider: string): provider is Provider => providerIds.some((id) => id === provider);

export const findPersonRule = (provider: string): PersonRule | null =>
  isKnownProvider(provider) ? providerFacts[provider].personRule : null;

export const providersThatSend = ({ type }: Pick<OutboundContent, "type">): readonly string[] =>
  providerIds.filter((id) => type !== "interactive" || providerFacts[id].sendsInteractive);

export const providersWithUserId = (userId: string): readonly string[] =>
  providerIds.filter((id) => providerFacts[id].userId.test(userId));
