import { describe, expect, it } from "vitest";
import { fillCannedReply } from "../../src/features/canned-replies/canned-replies.schemas.ts";

const ada = new Map([
  ["first_name", "Ada"],
  ["company", null],
]);

describe("Filled canned replies", () => {
  it.each([
    ["Hello {{first_name|there}}!", "Hello Ada!"],
    ["Hello {{ company | friend }}!", "Hello friend!"],
    ["Hello {{company}}", "Hello {{company}}"],
    ["{{1}} of {{2}}", "{{1}} of {{2}}"],
    ["No variables", "No variables"],
  ])("Filling a canned reply turns %j into %j", (body, text) => {
    expect(fillCannedReply(body, ada)).toBe(text);
  });
});
