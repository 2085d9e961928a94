import { describe, expect, it } from "vitest";
import { AWAY_MS, MAX_WAITING_SCANS, type TurnRequest } from "../../src/features/scans/scans.turn-queue.ts";
import { decisions, queueOf, request } from "../support/turn-queues.ts";

describe("Requests for a turn that ask again while they wait", () => {
  const ASK_MS = 1000;
  const asking = (id: string, differences: Partial<TurnRequest> = {}) => request(id, { askMs: ASK_MS, ...differences });

  it("A request for a turn that asks again keeps its place in the queue and its deadline", () => {
    const queue = queueOf(request("a"), asking("b"), request("c"));
    queue.decide(0);
    expect(queue.nextAt()).toBe(ASK_MS);
    expect(decisions(queue, ASK_MS)).toEqual({ b: "waiting" });
    expect(decisions(queue, ASK_MS + 1)).toEqual({});
    expect(queue.add(asking("b", { waitMs: 5000 }), ASK_MS + 1)).toBe(true);
    queue.end("a", null, ASK_MS + 2);
    expect(decisions(queue, ASK_MS + 2)).toEqual({ b: "granted" });

    const busy = queueOf(request("a"), asking("b"));
    busy.decide(0);
    busy.decide(ASK_MS);
    busy.add(asking("b", { waitMs: 300 }), ASK_MS + 100);
    expect(decisions(busy, ASK_MS + 399)).toEqual({});
    expect(decisions(busy, ASK_MS + 400)).toEqual({ b: "busy" });
  });

  it("A request for a turn that does not ask again gets no turn, and loses its place after a second", () => {
    const lost = Array.from({ length: MAX_WAITING_SCANS }, (_, n) => asking(`lost${n}`));
    const queue = queueOf(request("a"));
    queue.decide(0);
    for (const each of lost) queue.add(each, 0);
    queue.decide(0);
    queue.decide(ASK_MS);
    queue.end("a", null, ASK_MS);
    expect(decisions(queue, ASK_MS)).toEqual({});
    expect(queue.add(asking("b"), ASK_MS)).toBe(false);
    expect(queue.nextAt()).toBe(ASK_MS + AWAY_MS);
    expect(decisions(queue, ASK_MS + AWAY_MS)).toEqual({});
    expect(queue.nextAt()).toBeNull();
    expect(queue.add(asking("b"), ASK_MS + AWAY_MS)).toBe(true);
    expect(decisions(queue, ASK_MS + AWAY_MS)).toEqual({ b: "granted" });
  });

  it("A request for a turn that is ended while it waits gets no turn", () => {
    const queue = queueOf(request("a"), asking("b"), asking("c"));
    queue.decide(0);
    queue.end("b", null, 1);
    expect(decisions(queue, 1)).toEqual({});
    queue.end("a", null, 2);
    expect(decisions(queue, 2)).toEqual({ c: "granted" });
  });
});
