import { expect, it } from "vitest";
import { HOUR_MS } from "../../src/shared/time/durations.ts";
import { firstTemplateSync, templateSyncPauseMs } from "../../src/features/connections/connections.schedules.ts";

it("Templates are synced every hour, and less often after failures", () => {
  expect([0, 1, 2, 4, 9].map((failures) => templateSyncPauseMs(failures) / HOUR_MS)).toEqual([1, 2, 4, 16, 16]);
});

it("Only official connections of real providers sync templates", () => {
  expect(firstTemplateSync({ channel: "official", provider: "whatsapp_cloud" }, 5)).toBe(5 + HOUR_MS);
  expect(firstTemplateSync({ channel: "official", provider: "sandbox" }, 5)).toBeNull();
  expect(firstTemplateSync({ channel: "unofficial", provider: "waha" }, 5)).toBeNull();
});
