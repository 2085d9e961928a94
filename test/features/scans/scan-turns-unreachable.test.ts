import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { TURN_MS } from "../../../src/features/scans/scans.turn-queue.ts";
import { stopClock } from "../../support/clock.ts";
import { customerWith } from "../../support/campaigns.ts";
import { override } from "../../support/override.ts";
import { turnsOf } from "../../support/scans.ts";
import { all, saved } from "../../support/segment-world.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

/** A world whose turns can be taken and renewed, but cannot end while `state.fails` is true. */
function worldWhereTurnsStay() {
  const state = { fails: true, ended: 0 };
  const namespace = override(bindings.SCAN_TURNS, {
    getByName: (name: string) => {
      const stub = bindings.SCAN_TURNS.getByName(name);
      return {
        take: (...request: Parameters<typeof stub.take>) => stub.take(...request),
        renew: (...turn: Parameters<typeof stub.renew>) => stub.renew(...turn),
        end: (...turn: Parameters<typeof stub.end>) => {
          state.ended++;
          return state.fails ? Promise.reject(new Error("The object is gone.")) : stub.end(...turn);
        },
      };
    },
  });
  return { world: new World({ SCAN_TURNS: namespace }), state };
}

describe("Turns without a reported end", () => {
  it("If the end of a scan cannot be reported, the response stays the same, the failure is logged, and the scan's turn expires", async () => {
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const { world, state } = worldWhereTurnsStay();
    const { customer } = await customerWith(3, world);
    const id = await saved(customer, all({ field: "status", op: "eq", value: "new" }));
    const count = () => customer.call("GET", `/segments/${id}/count`);

    // `call` also waits for the work after the response, and would throw its errors.
    expect(await count()).toMatchObject({ status: 200, body: { count: 3 } });
    expect(state.ended).toBe(1);
    const logged = lines.mock.calls.map((line) => line.map(String).join(" "));
    for (const event of ["scan_turns_unreachable", "background_work_failed"])
      expect(logged.filter((line) => line.includes(event))).toHaveLength(1);

    state.fails = false;
    const next = { id: "next", owner: "somebody", waitMs: 0, question: null };
    expect(await turnsOf(customer).take(next)).toEqual({ outcome: "busy" });
    world.advance(TURN_MS);
    expect(await count()).toMatchObject({ status: 200, body: { count: 3 } });
    expect(state.ended).toBe(2);
  });
});
