import { describe, expect, it } from "vitest";
import { outboundTypes } from "../../src/channels/content.ts";
import { providersThatSend } from "../../src/channels/providers.ts";

const types = (provider: string) => outboundTypes.filter((type) => providersThatSend({ type }).includes(provider));

describe("Message kinds", () => {
  it.each(["sandbox", "whatsapp_cloud"])("The provider %s sends messages of all kinds", (provider) => {
    expect(types(provider)).toEqual([...outboundTypes]);
  });

  it("WAHA sends messages of all kinds except interactive ones", () => {
    expect(types("waha")).toEqual(outboundTypes.filter((type) => type !== "interactive"));
  });
});
