import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

const c = "filter.conditions";

const vip: [string, string][] = [
  ["filter.match", "all"],
  [`${c}.0.field`, "tags"],
  [`${c}.0.op`, "has_any"],
  [`${c}.0.value`, "vip"],
];

describe("Segment form", () => {
  it("The segment form focuses an added condition, or the condition after a removed one", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const path = `/console/${customer.workspaceId}/segments/new`;
    const focusAfter = async (action: string, fields: [string, string][]) => {
      const { body } = await admin.request(
        "POST",
        path,
        new URLSearchParams([["csrf_token", admin.token], ...fields, ["do", action]]),
      );
      return Array.from(String(body).matchAll(/<select id="([^"]*)"[^>]*autofocus/g), ([, id]) => id);
    };
    const two: [string, string][] = [...vip, [`${c}.1.field`, "name"]];
    const group: [string, string][] = [
      ...vip,
      [`${c}.1.match`, "any"],
      [`${c}.1.conditions.0.field`, "name"],
      [`${c}.1.conditions.1.field`, "email"],
    ];
    expect(await focusAfter("add", vip)).toEqual(["filter-conditions-1-field"]);
    expect(await focusAfter("add-group", vip)).toEqual(["filter-conditions-1-conditions-0-field"]);
    expect(await focusAfter("add:1", group)).toEqual(["filter-conditions-1-conditions-2-field"]);
    expect(await focusAfter("remove:0", two)).toEqual(["filter-conditions-0-field"]);
    expect(await focusAfter("remove:1", two)).toEqual(["filter-conditions-0-field"]);
    expect(await focusAfter("remove:1.1", group)).toEqual(["filter-conditions-1-conditions-0-field"]);
    expect(await focusAfter("remove:0", group)).toEqual(["filter-conditions-0-conditions-0-field"]);
    expect(await focusAfter("refresh", two)).toEqual([]);
  });

  it("The segment form requires a name only when the segment is saved", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const path = `/console/${customer.workspaceId}/segments/new`;
    const { body } = await admin.get(path);
    const buttons = Array.from(String(body).matchAll(/<button type="submit"[^>]*name="do" [^>]*>/g), ([tag]) => tag);
    expect(buttons.length).toBeGreaterThan(4);
    expect(buttons.filter((tag) => !tag.includes("formnovalidate"))).toEqual([expect.stringContaining('value="save"')]);
  });
});
