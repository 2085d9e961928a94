import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_WAITING_SCANS } from "../../../src/features/scans/scans.turn-queue.ts";
import { stopClock } from "../../support/clock.ts";
import { customerWith } from "../../support/campaigns.ts";
import { override } from "../../support/override.ts";
import { holdTurn, turnsOf } from "../../support/scans.ts";
import { all, saved } from "../../support/segment-world.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

/** A workspace with one contact and a segment. `asked` counts how often requests ask for a turn. */
async function watchedCustomer() {
  const state = { asked: 0 };
  const counting = override(bindings.SCAN_TURNS, {
    getByName: (name: string) => {
      const stub = bindings.SCAN_TURNS.getByName(name);
      return {
        take: (...request: Parameters<typeof stub.take>) => {
          state.asked++;
          return stub.take(...request);
        },
        renew: (...turn: Parameters<typeof stub.renew>) => stub.renew(...turn),
        end: (...turn: Parameters<typeof stub.end>) => stub.end(...turn),
      };
    },
  });
  const { world, customer } = await customerWith(1, new World({ SCAN_TURNS: counting }));
  const id = await saved(customer, all({ field: "status", op: "eq", value: "new" }));
  const count = (signal?: AbortSignal) =>
    customer.call("GET", `/segments/${id}/count`, undefined, signal === undefined ? {} : { signal });
  return { world, customer, state, count };
}

describe("Requests that wait for a turn", () => {
  it("A request that waits for its turn asks for it again after a second, and gets it", async () => {
    const { world, customer, state, count } = await watchedCustomer();
    await holdTurn(customer);
    const waiting = count();
    await vi.waitUntil(() => state.asked === 1);
    // The object decides when a turn ends, also if nobody has it.
    await turnsOf(customer).end("nobody", null);
    world.advance(1000);
    await turnsOf(customer).end("nobody", null);
    await vi.waitUntil(() => state.asked === 2);
    await turnsOf(customer).end("held", null);
    expect((await waiting).body.count).toBe(1);
  });

  it("If callers disconnect while they wait for a turn, the next request finds a place, and gets the next turn", async () => {
    const { customer, state, count } = await watchedCustomer();
    await holdTurn(customer);
    const callers = new AbortController();
    const left = Array.from({ length: MAX_WAITING_SCANS }, () => count(callers.signal));
    await vi.waitUntil(() => state.asked === MAX_WAITING_SCANS);
    expect((await count()).status).toBe(429);
    callers.abort();
    await Promise.all(left);
    const waiting = count();
    await vi.waitUntil(() => state.asked === MAX_WAITING_SCANS + 2);
    await turnsOf(customer).end("held", null);
    expect((await waiting).body.count).toBe(1);
  });
});
