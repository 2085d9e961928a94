import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { channelOf } from "../../src/channels/registry.ts";

const readme = readFileSync("README.md", "utf8").replaceAll("\n# ", " ");

describe.each([
  ["waha", "with the events", 6],
  ["whatsapp_cloud", "Subscribe the app to", 11],
])("the events of a webhook of %s", (provider, introduction, count) => {
  it("are those that the README names", () => {
    const events = channelOf(provider)?.webhook?.events ?? [];
    expect(events).toHaveLength(count);
    const [, told = ""] = readme.split(introduction);
    const [sentence = ""] = told.split(/\.\s/);
    expect(sentence.trim().split(/, | and /)).toEqual(events);
  });
});
