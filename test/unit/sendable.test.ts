import { describe, expect, it } from "vitest";
import { outboundTypes } from "../../src/channels/content.ts";
import { providersThatSend } from "../../src/channels/providers.ts";

const types = (provider: string) => outboundTypes.filter((type) => providersThatSend({ type }).includes(provider));

describe("Message kinds", () => {
  it.each(["sandbox", "whatsapp_cloud"])("Messages of all kinds can be sent through %s", (provider) => {
    expect(types(provider)).toEqual([...outboundTypes]);
  });

  it("WAHA can send messages of all kinds except interactive messages", () => {
    expect(types("waha")).toEqual(outboundTypes.filter((type) => type !== "interactive"));
  });
});
