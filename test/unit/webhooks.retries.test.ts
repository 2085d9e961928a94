import { expect, test } from "vitest";
import {
  healthAfter,
  newHealth,
  nextSendFrom,
  retryAfterMs,
  retryDelayMs,
  startProbing,
  statusChanges,
  stopProbing,
} from "../../src/features/webhooks/webhooks.retries.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const attempt = { at: 0, status: 500, duration_ms: 1, error: null, response: "" };
const result = { attempt, isSuccess: false, isTimeout: false, retryAfterMs: null };
const failure = { isProbe: false, result };
const success = { isProbe: false, result: { ...result, isSuccess: true } };
const overloaded = { ...result, attempt: { ...attempt, status: 503 }, retryAfterMs: 5000 };
const gone = { isProbe: false, result: { ...result, attempt: { ...attempt, status: 410 } } };
const at = (now: number) => ({ now, random: 0.5 });

test("A webhook delivery is retried after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h and 24 h", () => {
  const delays = Array.from({ length: 9 }, (_, index) => retryDelayMs(index + 1, 0.5));
  expect(delays).toEqual(
    [5, 30, 300, 1800, 7200, 18_000, 36_000, 86_400, null].map((each) => each && each * SECOND_MS),
  );
  expect([retryDelayMs(1, 0), retryDelayMs(1, 1)]).toEqual([4500, 5500]);
});

test.each([
  ["120", 120_000],
  ["0", 0],
  ["86400", HOUR_MS],
  [new Date(1_800_000_060_000).toUTCString(), 60_000],
  [new Date(1_700_000_000_000).toUTCString(), 0],
  ["soon", null],
  [null, null],
])("A Retry-After of %s from a webhook endpoint means %s ms", (header, expected) => {
  expect(retryAfterMs(header, 1_800_000_000_000)).toBe(expected);
});

test("The twentieth failure of a webhook in a row starts probing, and a success resets the count", () => {
  let health = newHealth;
  const fail = () => {
    const after = healthAfter(health, failure, at(1));
    health = after.health;
    return after.transition;
  };
  for (let count = 0; count < 19; count++) expect(fail()).toBeNull();
  health = healthAfter(health, success, at(2)).health;
  for (let count = 0; count < 19; count++) expect(fail()).toBeNull();
  expect(fail()).toBe("probing");
});

test("A probed webhook is called at increasing intervals up to half an hour, for five days", () => {
  let health = startProbing(newHealth, 0, 0.5);
  const pauses: number[] = [];
  for (let transition = null, now = 0; transition === null;) {
    pauses.push((health.probing?.nextAt ?? now) - now);
    now = health.probing?.nextAt ?? now;
    ({ health, transition } = healthAfter(health, { ...failure, isProbe: true }, at(now)));
    if (transition !== null) expect([transition, now >= 120 * HOUR_MS]).toEqual(["given_up", true]);
  }
  expect(pauses.slice(0, 6)).toEqual([5, 30, 300, 1800, 1800, 1800].map((each) => each * SECOND_MS));
});

test("Webhook calls that began before probing do not change the schedule of the probes, but a success ends probing", () => {
  const probed = startProbing(newHealth, 0, 0.5);
  let health = probed;
  for (let now = 1; now <= 4; now++) health = healthAfter(health, failure, at(now)).health;
  expect(health.probing).toEqual(probed.probing);
  expect(healthAfter(health, failure, at(200 * HOUR_MS)).transition).toBeNull();
  expect(healthAfter(health, success, at(5))).toMatchObject({ health: { probing: null }, transition: "recovered" });
});

test("failingSince of a webhook is the time of the first failure after a success, even after probing stops", () => {
  const first = healthAfter(newHealth, failure, at(100)).health;
  const second = healthAfter(stopProbing(first), failure, at(200)).health;
  expect(second).toMatchObject({ failingSince: 100, lastFailureAt: 200 });
  expect(healthAfter(second, success, at(300)).health.failingSince).toBeNull();
});

test("A successful call to a webhook ends its probing, slow mode and pauses", () => {
  const failing = healthAfter(
    newHealth,
    { isProbe: false, result: { ...overloaded, isTimeout: true } },
    at(100),
  ).health;
  expect(failing).toMatchObject({ isSlow: true, notBefore: 5100, failuresInRow: 1, lastFailureAt: 100 });
  const probed = startProbing(failing, 100, 0.5);
  expect(healthAfter(probed, success, at(200))).toEqual({
    health: { ...newHealth, lastSuccessAt: 200, lastFailureAt: 100 },
    transition: "recovered",
  });
  expect(stopProbing(probed)).toEqual({ ...newHealth, lastFailureAt: 100, failingSince: 100 });
});

test("A webhook sends nothing before a requested pause ends or the next probe is due", () => {
  expect(nextSendFrom(newHealth)).toBe(0);
  expect(nextSendFrom({ ...newHealth, notBefore: 70 })).toBe(70);
  expect(nextSendFrom(startProbing({ ...newHealth, notBefore: 70 }, 0, 0.5))).toBe(5000);
});

test("A response with status 410 disables the webhook, even during probing", () => {
  for (const health of [newHealth, startProbing(newHealth, 0, 0.5)])
    expect(healthAfter(health, gone, at(1)).transition).toBe("gone");
});

test("Attempts change a webhook's status only while the webhook sends, and only a success makes a probed webhook active", () => {
  const moves = Object.values(statusChanges).flatMap(({ from, to }) => from.map((each) => `${each} → ${to}`));
  expect(new Set(moves)).toEqual(
    new Set(["active → probing", "active → disabled", "probing → active", "probing → disabled"]),
  );
  expect(statusChanges).toMatchObject({
    recovered: { from: ["probing"], to: "active", reason: null },
    probing: { from: ["active"], to: "probing", reason: expect.stringMatching(/^20 attempts in a row/) },
    gone: { from: ["active", "probing"], to: "disabled" },
    given_up: { from: ["probing"], to: "disabled", reason: "No attempt has succeeded for 5 days." },
  });
});
