import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SAMPLE_PORT, verificationSamples } from "../../src/console/pages/webhooks/verification-code.ts";
import { describeFormats, mediaLimits } from "../../src/features/media/media.kinds.ts";
import { missingVariablesError } from "../../src/features/templates/templates.fitting.ts";
import { errorBody } from "../../src/http/openapi/error-body.ts";
import { statusOf } from "../../src/http/response/errors.ts";
import { errorCodes, invalid } from "../../src/shared/errors.ts";
import { REQUIRED } from "../../src/shared/faults.ts";

/** The texts in the code, as patterns. Short texts are omitted, because they would match any text. */
const messages = globSync("src/**/*.ts")
  .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/"([^"\n]+)"|`([^`]+)`/g)])
  .map(([, text, template = text ?? ""]) => template.split(/\$\{[^}]*\}/))
  .filter((parts) => parts.join("").replaceAll(" ", "").length > 5)
  .map((parts) => new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".+")}$`))
  // The code assembles these texts from parts.
  .concat(
    [invalid({ path: "to", code: "required", message: REQUIRED }), missingVariablesError(["2"])].map(
      ({ message }) => new RegExp(`^${RegExp.escape(message)}$`),
    ),
  );

describe("Guide to errors", () => {
  const [, ...sections] = readFileSync("docs/guides/errors.md", "utf8").split(/^## /m);
  const byCode = new Map(sections.map((text) => [text.split("\n")[0] ?? "", text]));

  it("The guide to errors explains all existing codes and no others", () => {
    const named = [...byCode.keys()].filter((title) => /^[a-z_]+$/.test(title));
    expect(named.toSorted((one, other) => one.localeCompare(other))).toEqual(
      Object.keys(statusOf).toSorted((one, other) => one.localeCompare(other)),
    );
  });

  it.each(errorCodes)("The guide to errors describes %s with status, cause, fix and a valid example", (code) => {
    const text = byCode.get(code) ?? "";
    expect(text).toContain(`**Status ${statusOf[code]}.** `);
    expect(text).toContain("**What to do:** ");
    const example: unknown = JSON.parse(/```json\n(?<json>.*?)```/s.exec(text)?.groups?.["json"] ?? "");
    const { error } = errorBody.parse(example);
    expect(error.code).toBe(code);
    expect(text.includes("**Details:**")).toBe(error.details !== null || code === "channel_mismatch");
    expect(
      messages.some((message) => message.test(error.message)),
      error.message,
    ).toBe(true);
  });
});

describe("Guide to files", () => {
  it.each(["image", "video", "audio", "document", "sticker"] as const)(
    "The guide to files lists the allowed types and the maximum size for %s",
    (kind) => {
      const row = readFileSync("docs/guides/media.md", "utf8")
        .split("\n")
        .find((line) => line.startsWith(`| \`${kind}\` `));
      for (const type of mediaLimits[kind].mimeTypes ?? []) expect(row).toContain(`\`${type}\``);
      expect(row).toContain(/up to .*(?=\.$)/.exec(describeFormats(kind))?.[0]);
    },
  );
});

describe("Guide to webhooks", () => {
  it("All samples in the guide to webhooks use the same port", () => {
    const guide = readFileSync("docs/guides/webhooks.md", "utf8");
    const ports = [...guide.matchAll(/localhost:(\d+)|listen\((\d+)\)|\(\("", (\d+)\)/g)].map((all) =>
      all.slice(1).join(""),
    );
    expect(ports.length).toBeGreaterThan(5);
    expect(new Set(ports)).toEqual(new Set([String(SAMPLE_PORT)]));
  });

  it.each(verificationSamples("whsec_…").filter(({ id }) => id !== "shell"))(
    "The guide to webhooks contains the console's receiver for $label, which a test runs",
    ({ text }) => {
      expect(readFileSync("docs/guides/webhooks.md", "utf8")).toContain(text);
    },
  );
});
