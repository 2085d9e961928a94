import { describe, expect, it } from "vitest";
import { isEmail } from "../../src/shared/text/email.ts";

describe("Email addresses", () => {
  it.each([
    "ada@example.com",
    "ada.lovelace+news@mail.example.co.uk",
    "o'brien_%$#@x-y.example",
    "jörg@exämple.de",
    "用户@例子.广告",
    "a@xn--bcher-kva.example",
    `${"a".repeat(64)}@example.com`,
  ])("The text %s is an email address", (address) => {
    expect(isEmail(address)).toBe(true);
  });

  it.each([
    "",
    "ada",
    "a@b",
    "a@..",
    "a@.example.com",
    "a@example.com.",
    "a@example..com",
    "mailto:a@x.com",
    "a b@example.com",
    "a@exam ple.com",
    "a\u0000@example.com",
    "a\n@example.com",
    "a\u200b@example.com",
    "a@exam\u200dple.com",
    "a\u202e@example.com",
    "\u00ada@example.com",
    ".a@example.com",
    "a.@example.com",
    "a..b@example.com",
    "a@-example.com",
    "a@example-.com",
    "a@10.0.0.1",
    "a@[10.0.0.1]",
    '"a b"@example.com',
    "a@b@example.com",
    "Ada <a@example.com>",
    `${"a".repeat(65)}@example.com`,
    `a@${"b.".repeat(130)}com`,
  ])("The text %j is not an email address", (address) => {
    expect(isEmail(address)).toBe(false);
  });
});
