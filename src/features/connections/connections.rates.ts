// Messages per second of a connection. Pure.
import { providerFacts } from "../../channels/providers.ts";
import type { Provider } from "./connections.schemas.ts";

/** Meta's limit per second for a number that is also in the WhatsApp Business app. */
const COEXISTENCE_RATE = 20;

/** True if the stored settings are of such a number. */
const isCoexisting = (settings: Record<string, string | undefined>): boolean => settings["coexistence"] === "true";

/** The rate of a new connection. */
export const newRate = (
  provider: Provider,
  settings: Record<string, string | undefined>,
  requested: number | undefined,
): number => {
  const rate = requested ?? providerFacts[provider].messagesPerSecond;
  return isCoexisting(settings) ? Math.min(rate, COEXISTENCE_RATE) : rate;
};

interface RatedConnection {
  provider: Provider;
  config: Record<string, string>;
  messagesPerSecond: number;
}

/**
 * The rate after a change of settings, or undefined if it stays. A number that leaves the app gets the provider's rate, unless
 * another rate was set.
 */
export function changedRate(
  { provider, config, messagesPerSecond }: RatedConnection,
  settings: Record<string, string | undefined>,
  requested: number | undefined,
): number | undefined {
  const isLifted =
    isCoexisting(config) && settings["coexistence"] === "false" && messagesPerSecond === COEXISTENCE_RATE;
  const rate = requested ?? (isLifted ? providerFacts[provider].messagesPerSecond : messagesPerSecond);
  const after = isCoexisting({ ...config, ...settings }) ? Math.min(rate, COEXISTENCE_RATE) : rate;
  return requested === undefined && after === messagesPerSecond ? undefined : after;
}
