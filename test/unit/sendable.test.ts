import { describe, expect, it } from "vitest";
import { outboundTypes } from "../../src/channels/content.ts";
import { providersThatSend } from "../../src/channels/providers.ts";

const types = (provider: string) => outboundTypes.filter((type) => providersThatSend({ type }).includes(provider));

describe("the kinds of messages", () => {
  it.each(["sandbox", "whatsapp_cloud"])("are all sent by %s", (provider) => {
    expect(types(provider)).toEqual([...outboundTypes]);
  });

  it("are all sent by WAHA, but for interactive ones", () => {
    expect(types("waha")).toEqual(outboundTypes.filter((type) => type !== "interactive"));
  });
});
