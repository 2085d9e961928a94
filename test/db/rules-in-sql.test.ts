import { env } from "cloudflare:workers";
import { sql, type SQL } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controlDatabase } from "../../src/db/client.ts";
import {
  hasFailureRun,
  type LeaseHealth,
  RECENT_SENDS,
} from "../../src/features/campaigns/campaigns.circuit-breaker.ts";
import {
  hasFailureRunSql,
  isMostlyFailingSql,
  pauseReasonSql,
  recentResultsSql,
} from "../../src/features/campaigns/lease/settle-lease.sql.ts";
import { columns } from "../../src/db/columns.ts";
import { media } from "../../src/db/schema/index.ts";
import { mediaTypes } from "../../src/channels/content.ts";
import { retestPauseMs } from "../../src/features/connections/connections.schedules.ts";
import { retestPauseMsSql } from "../../src/features/connections/connection-status.sql.ts";
import { isAcceptedFile } from "../../src/features/media/media-states.sql.ts";
import { isMostlyFailing, pauseReason } from "../support/pause-rules.ts";
import { activeTypes, mediaLimits, refusalOfFile } from "../../src/features/media/media.kinds.ts";

async function valueOf(expression: SQL): Promise<unknown> {
  const row = await controlDatabase(env).get<{ value: unknown }>(sql`SELECT ${expression} AS value`);
  return row.value;
}

async function storedReason(stored: string, health: LeaseHealth): Promise<unknown> {
  const kept = await valueOf(recentResultsSql(sql`${stored}`, ""));
  return valueOf(pauseReasonSql(sql`${kept}`, health));
}

const CHECKED = { numRuns: 60, endOnFailure: true };

/** Results of sends. They have so many failures that each rule is true for about half of the lists. */
const marks = (most: number) =>
  fc.array(fc.constantFrom("1", "1", "0"), { maxLength: most }).map((all) => all.join(""));
/** Half of these lists end in failures, which the next results can continue. */
const row = fc.nat({ max: 12 }).map((length) => "1".repeat(length));
/** As many failures as successes, plus or minus a few. */
const evenly = fc
  .tuple(fc.integer({ min: 40, max: 60 }), fc.nat({ max: 3 }), fc.array(fc.nat({ max: 1000 }), { minLength: 110 }))
  .map(([failures, further, order]) =>
    order
      .slice(0, RECENT_SENDS - 2 + further)
      .map((rank, index) => ({ rank, mark: index < failures ? "1" : "0" }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ mark }) => mark)
      .join(""),
  );

const mimeTypes = [...Object.values(mediaLimits).flatMap((limit) => limit.mimeTypes ?? []), ...activeTypes, "text/csv"];
/** Half of the sizes are near a limit. */
const sizes = fc.oneof(
  fc.nat({ max: 200_000_000 }),
  fc
    .tuple(fc.constantFrom(...Object.values(mediaLimits)), fc.integer({ min: -1, max: 1 }))
    .map(([{ bytes }, more]) => bytes + more),
);

describe("Rules in SQL", () => {
  it("SQL accepts a stored file for a message type if and only if TypeScript does", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...mediaTypes),
        fc.constantFrom(...mimeTypes),
        sizes,
        async (kind, mimeType, bytes) => {
          const file = sql`(SELECT 'stored' AS status, ${mimeType} AS mime_type, ${bytes} AS bytes)`;
          const found = await valueOf(sql`(SELECT ${isAcceptedFile(columns(media, "f"), kind)} FROM ${file} f)`);
          return found === Number(refusalOfFile(kind, { mimeType, bytes }) === null);
        },
      ),
      CHECKED,
    ));

  it("SQL and TypeScript agree on whether sends failed in a run", () =>
    fc.assert(
      fc.asyncProperty(marks(30), row, row, marks(15), async (before, earlier, next, after) => {
        const [stored, added] = [before + earlier, next + after];
        return (await valueOf(hasFailureRunSql(sql`${stored}`, added))) === Number(hasFailureRun(stored, added));
      }),
      CHECKED,
    ));

  it("SQL and TypeScript agree on whether most sends of a campaign fail", () =>
    fc.assert(
      fc.asyncProperty(evenly, marks(3), async (stored, added) => {
        const found = await valueOf(isMostlyFailingSql(recentResultsSql(sql`${stored}`, added)));
        return found === Number(isMostlyFailing(stored + added));
      }),
      CHECKED,
    ));

  it("SQL and TypeScript pause a campaign for the same reason", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(evenly, marks(30)),
        fc.oneof(marks(3), row),
        fc.constantFrom(null, "connection_unavailable"),
        async (stored, results, stop) => {
          const health = { results, failure: results.includes("1") ? "provider_rejected" : null, stop } as const;
          return (await storedReason(stored, health)) === pauseReason(stored, health);
        },
      ),
      CHECKED,
    ));

  it("SQL and TypeScript compute the same delay until the next test of a connection", () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(fc.nat({ max: 100_000_000 }), fc.nat({ max: 1e12 })), async (outageMs) => {
        return (await valueOf(retestPauseMsSql(sql`(${outageMs} - 0)`))) === retestPauseMs(outageMs);
      }),
      CHECKED,
    ));
});

describe("Mostly failing sends", () => {
  it.each([
    ["10".repeat(50), false],
    [`11${"10".repeat(49)}`, true],
    ["1".repeat(99), false],
    [`${"1".repeat(100)}${"0".repeat(50)}`, false],
    [`${"1".repeat(100)}${"0".repeat(49)}`, true],
  ])("The results %j are mostly failures: %s", async (results, expected) => {
    expect(await valueOf(isMostlyFailingSql(recentResultsSql(sql`${results}`, "")))).toBe(Number(expected));
  });
});

describe("Pauses of a campaign", () => {
  const failed = { results: "1".repeat(10), failure: "provider_rejected", stop: null } as const;
  const mixed = "1101".repeat(25);

  it.each<[string, earlier: string, health: LeaseHealth, reason: string | null]>([
    [
      "A campaign pauses for the reason that stopped a lease",
      "",
      { ...failed, stop: "connection_unavailable" },
      "connection_unavailable",
    ],
    [
      "A campaign pauses for the reason that stopped a lease, even if no send failed",
      "",
      { results: "0", failure: null, stop: "account_blocked" },
      "account_blocked",
    ],
    ["A campaign pauses for the last of ten failures in a row", "", failed, "provider_rejected"],
    [
      "A campaign pauses for ten failures in a row rather than for too many failures",
      "1".repeat(100),
      failed,
      "provider_rejected",
    ],
    [
      "A campaign pauses for too many failures in a hundred sends",
      mixed.slice(4),
      { ...failed, results: "1101" },
      "too_many_failures",
    ],
    [
      "A campaign does not pause for too many failures in fewer than a hundred sends",
      mixed.slice(8),
      { ...failed, results: "1101" },
      null,
    ],
  ])("%s", async (_, earlier, health, reason) => {
    expect(await storedReason(earlier, health)).toBe(reason);
  });
});
