import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ANSWER_MS,
  CONFIRM_MS,
  MAX_WAITING_SCANS,
  TURN_MS,
  TurnQueue,
} from "../../src/features/scans/scans.turn-queue.ts";
import { decisions, queueOf, request, WAIT_MS } from "../support/turn-queues.ts";

describe("Turns", () => {
  it("Scans take turns one at a time, in the order of the requests", () => {
    const queue = queueOf(request("a"), request("b"), request("c"));
    expect(decisions(queue, 0)).toEqual({ a: "granted" });
    expect(decisions(queue, 1)).toEqual({});
    queue.end("a", null, 2);
    expect(decisions(queue, 2)).toEqual({ b: "granted" });
    queue.end("a", null, 3);
    expect(decisions(queue, 3)).toEqual({});
  });

  it("Turns of scans alternate between owners, however many requests one owner has", () => {
    const many = Array.from({ length: 10 }, (_, n) => request(`a${n}`));
    const queue = queueOf(...many, request("b0", { owner: "bo" }), request("b1", { owner: "bo" }));
    const order: string[] = [];
    for (let now = 0; now < 12; now++) {
      const [id = ""] = Object.keys(decisions(queue, now));
      order.push(id);
      queue.end(id, null, now);
    }
    expect(order.slice(0, 5)).toEqual(["a0", "b0", "a1", "b1", "a2"]);
  });

  it("A scan loses its turn if its request neither renews nor ends the turn", () => {
    const queue = queueOf(request("a"), request("b"));
    queue.decide(0);
    expect(queue.nextAt()).toBe(TURN_MS);
    expect(decisions(queue, TURN_MS - 1)).toEqual({});
    expect(decisions(queue, TURN_MS)).toEqual({ b: "granted" });
    expect(queue.renew("a", TURN_MS)).toBe(false);
  });

  it("A scan's turn that requires a confirmation expires early if its request does not confirm it", () => {
    const queue = queueOf(request("a", { confirms: true }), request("b", { confirms: true }), request("c"));
    queue.decide(0);
    expect(decisions(queue, CONFIRM_MS)).toEqual({ b: "granted" });
    expect(queue.renew("b", 2 * CONFIRM_MS - 1)).toBe(true);
    expect(decisions(queue, 2 * CONFIRM_MS + TURN_MS - 2)).toEqual({});
    expect(decisions(queue, 2 * CONFIRM_MS + TURN_MS - 1)).toEqual({ c: "granted" });
  });

  it("A turn of a scan continues while its request renews it, even after the object restarted", () => {
    const queue = queueOf(request("a"));
    queue.decide(0);
    expect(queue.renew("a", TURN_MS - 1)).toBe(true);
    queue.add(request("b"), TURN_MS);
    expect(decisions(queue, TURN_MS)).toEqual({});
    expect(decisions(queue, 2 * TURN_MS - 1)).toEqual({ b: "granted" });

    const restarted = new TurnQueue();
    expect(restarted.renew("a", 0)).toBe(true);
    restarted.add(request("b"), 1);
    expect(decisions(restarted, 1)).toEqual({});
  });

  it("A turn of a scan is granted again if its request is repeated because the response was lost", () => {
    const queue = queueOf(request("a"));
    queue.decide(0);
    queue.add(request("a"), 1);
    expect(decisions(queue, 1)).toEqual({ a: "granted" });
  });

  it("A request for a scan's turn is rejected as busy after its waiting time, and at most twenty requests of one owner wait", () => {
    const queue = queueOf(request("a"), request("b", { waitMs: 100 }));
    queue.decide(0);
    expect(queue.nextAt()).toBe(100);
    expect(decisions(queue, 99)).toEqual({});
    expect(decisions(queue, 100)).toEqual({ b: "busy" });
    expect(queue.nextAt()).toBeNull();
    for (let n = 0; n < MAX_WAITING_SCANS; n++) expect(queue.add(request(`c${n}`), 100)).toBe(true);
    expect(queue.add(request("d"), 100)).toBe(false);
    expect(queue.add(request("e", { owner: "bo" }), 100)).toBe(true);
  });
});

describe("Short waits for a turn", () => {
  it("A request for a scan's turn can limit how many requests of its owner wait", () => {
    const queue = queueOf(request("a"));
    queue.decide(0);
    const brief = (id: string) => request(id, { owner: "campaigns", maxWaiting: 2 });
    expect(["b", "c", "d"].map((id) => queue.add(brief(id), 0))).toEqual([true, true, false]);
    expect(queue.add(request("e"), 0)).toBe(true);
  });

  it.each([400, 1900, 3000, 7000, 25_000])(
    "Campaigns that wait 2 seconds and repeat the request later get turns, even if bulk edits and nine keys always wait, with turns of %i ms",
    (turnMs) => {
      const others = ["system", ...Array.from({ length: 9 }, (_, n) => `key ${n}`)];
      const queue = queueOf(...others.map((owner) => request(owner, { owner, waitMs: Infinity })));
      const wantedAt = [0];
      const served: number[] = [];
      let holder = { id: "", until: 0 };
      for (let now = 0, attempts = 0; now < 3_600_000; now += 100) {
        if (now >= holder.until && holder.id !== "") {
          queue.end(holder.id, null, now);
          // The owner requests its next turn at once.
          if (others.includes(holder.id)) queue.add(request(holder.id, { owner: holder.id, waitMs: Infinity }), now);
        }
        if (now >= (wantedAt[0] ?? Infinity) && wantedAt.shift() !== undefined)
          queue.add(request(`campaign ${attempts++}`, { owner: "campaigns", waitMs: 2000, maxWaiting: 2 }), now);
        if (now < holder.until) queue.renew(holder.id, now);
        for (const [id, { outcome }] of queue.decide(now)) {
          if (outcome === "granted") holder = { id, until: now + turnMs };
          if (others.includes(id)) continue;
          if (outcome === "granted") served.push(now);
          wantedAt.push(now + (outcome === "granted" ? turnMs : 2500 + ((attempts * 1618) % 5000)));
        }
      }
      expect(served.length).toBeGreaterThan(10);
      const gaps = served.map((at, n) => at - (served[n - 1] ?? 0));
      expect(Math.max(...gaps)).toBeLessThan(2 * others.length * turnMs + 60_000);
    },
  );
});

describe("Shared results", () => {
  const asking = (id: string, asked = "how many") => request(id, { question: asked });

  it("The result of a scan is shared with equal requests for some seconds, but not with different requests", () => {
    const queue = queueOf(asking("a"), asking("b"), asking("c", "how few"), asking("d"));
    queue.decide(0);
    queue.end("a", { question: "how many", answer: "7" }, 10);
    const decided = queue.decide(10);
    expect(decided.get("b")).toEqual({ outcome: "answered", answer: "7" });
    expect(decided.get("d")).toEqual({ outcome: "answered", answer: "7" });
    expect(decided.get("c")).toEqual({ outcome: "granted" });
    queue.add(asking("e"), 9 + ANSWER_MS);
    expect(decisions(queue, 9 + ANSWER_MS)).toEqual({ e: "answered" });
    queue.end("c", null, 9 + ANSWER_MS);
    queue.add(asking("f"), 10 + ANSWER_MS);
    expect(decisions(queue, 10 + ANSWER_MS)).toEqual({ f: "granted" });
  });
});

it("In any sequence, at most one turn of a scan exists, and every waiting request receives a decision in time", () => {
  const event = fc.record({
    kind: fc.constantFrom("ask", "end", "renew", "die"),
    owner: fc.constantFrom("a", "b", "c"),
    askMs: fc.constantFrom(undefined, 700, 1000),
    asksAgain: fc.boolean(),
    passes: fc.integer({ min: 0, max: TURN_MS }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const queue = new TurnQueue();
      const waiting = new Map<string, { until: number; askAgain: (waitMs: number) => void }>();
      let now = 0;
      const held: { id: string; until: number }[] = [];
      const decide = () => {
        for (const [id, { outcome }] of queue.decide(now)) {
          const asked = waiting.get(id);
          expect(waiting.delete(id)).toBe(true);
          if (outcome === "waiting") asked?.askAgain(asked.until - now);
          if (outcome !== "granted") continue;
          expect(held.every(({ until }) => until <= now)).toBe(true);
          held.splice(0, 1, { id, until: now + TURN_MS });
        }
        for (const { until } of waiting.values()) expect(until).toBeGreaterThan(now);
      };
      for (const [n, { kind, owner, passes, askMs, asksAgain }] of events.entries()) {
        const due = queue.nextAt();
        now = Math.min(now + passes, due ?? Infinity);
        decide();
        const ask = (waitMs: number) => {
          const asked = request(`${n}`, { owner, waitMs, ...(askMs !== undefined && { askMs }) });
          const askAgain = (left: number) => asksAgain && ask(left);
          if (queue.add(asked, now)) waiting.set(asked.id, { until: now + waitMs, askAgain });
        };
        if (kind === "ask") ask(WAIT_MS);
        const [holder] = held;
        if (kind === "end" && holder !== undefined) queue.end(held.splice(0)[0]?.id ?? "", null, now);
        if (kind === "renew" && holder !== undefined && queue.renew(holder.id, now)) holder.until = now + TURN_MS;
        decide();
      }
    }),
  );
});
