import { expect, it } from "vitest";
import type { ChannelEvent, StatusEvent } from "../../src/channels/channel.ts";
import { bundleEvents } from "../../src/channels/event-bundles.ts";

const status = (number: number): StatusEvent => ({
  type: "status",
  messageId: `msg_${number}`,
  providerMessageId: `${number}`,
  providerKey: null,
  status: "read",
  at: number,
  error: null,
});
const statuses = (count: number) => Array.from({ length: count }, (_, number) => status(number));
const notice: ChannelEvent = { type: "connection", status: "error", detail: null, at: 0 };

it("Statuses travel together, twenty at most, in their order; none is lost", () => {
  const bundles = bundleEvents(statuses(45));
  expect(bundles.map((bundle) => ("events" in bundle ? bundle.events.length : 0))).toEqual([20, 20, 5]);
  expect(bundles.flatMap((bundle) => ("events" in bundle ? bundle.events : []))).toEqual(statuses(45));
});

it("Every other event travels alone: one that fails holds up no other", () => {
  expect(bundleEvents([notice, status(1), notice, status(2)])).toEqual([
    { event: notice },
    { event: notice },
    { events: [status(1), status(2)] },
  ]);
  expect(bundleEvents([])).toEqual([]);
});
