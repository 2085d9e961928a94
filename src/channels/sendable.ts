// The kinds of messages that each provider can send.
import type { OutboundContent } from "./content.ts";

const allProviders = ["sandbox", "whatsapp_cloud", "waha"];

/** According to WAHA's documentation its buttons do not work, and its lists may stop working at any time. */
const withoutInteractive = allProviders.filter((provider) => provider !== "waha");

/** The providers that can send a content in this version. */
export const providersThatSend = ({ type }: Pick<OutboundContent, "type">): readonly string[] =>
  type === "interactive" ? withoutInteractive : allProviders;
