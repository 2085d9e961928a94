// How many messages a second go through a connection. Pure.
import { providerFacts } from "../../channels/providers.ts";
import type { Provider } from "./connections.schemas.ts";

/** The most that Meta takes in a second of a number that the WhatsApp Business app uses as well. */
const COEXISTENCE_RATE = 20;

/** True of stored settings of such a number. */
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
 * The rate after a change of settings, or undefined where it stays. A number that the app no longer uses gets the provider's rate back,
 * unless another one was chosen.
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
