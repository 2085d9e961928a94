import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { OutboundContent } from "../../src/channels/content.ts";
import { renderSql } from "../../src/db/drizzle-internals.ts";
import { customerServiceWindowEnd } from "../../src/features/messages/messages.customer-service-window.ts";
import { state } from "../../src/features/messages/messages.states.ts";
import { selectRefusal } from "../../src/features/messages/send-refusal.ts";

const ADDRESS = "+14155550100";
const NOW = Date.parse("2026-03-01T12:00:00Z");
const WINDOW_MS = customerServiceWindowEnd(0);
const MINE = "ws_1";

/** Messages that a new message can quote. Only `answered` was sent. */
const quotes = {
  answered: { seq: 1, state: state.read, providerId: "wamid.1", type: null },
  queued: { seq: 1, state: state.queued, providerId: null, type: null },
  failed: { seq: 1, state: state.failed, providerId: null, type: null },
  skipped: { seq: 1, state: state.skipped, providerId: null, type: null },
  cancelled: { seq: 1, state: state.cancelled, providerId: null, type: null },
  elsewhere: { seq: 2, state: state.read, providerId: "wamid.2", type: null },
  reaction: { seq: 1, state: state.sent, providerId: "wamid.3", type: "reaction" },
};

/** Files that a new message can send as an image. */
const files = {
  picture: { status: "stored", mimeType: "image/png", bytes: 1000, source: null },
  fetched: { status: "pending", mimeType: null, bytes: null, source: "{}" },
  uploading: { status: "pending", mimeType: "image/png", bytes: null, source: null },
  expired: { status: "expired", mimeType: "image/png", bytes: 1000, source: null },
  large: { status: "stored", mimeType: "image/png", bytes: 6 * 1024 ** 2, source: null },
  page: { status: "stored", mimeType: "text/html", bytes: 1000, source: null },
};

const database = new DatabaseSync(":memory:");
for (const name of readdirSync("drizzle").toSorted()) {
  if (name.endsWith(".sql")) database.exec(readFileSync(`drizzle/${name}`, "utf8"));
}
const insertMessage = database.prepare(`
  INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, provider_message_id, type, created_at)
  VALUES (?, ?, ?, 'con_1', FALSE, '', '', ?, ?, ?, 0)`);
for (const [id, { seq, state: rank, providerId, type }] of Object.entries(quotes))
  insertMessage.run(id, MINE, seq, rank, providerId, type);
const insertFile = database.prepare(
  "INSERT INTO media (id, workspace_id, status, mime_type, bytes, source, created_at) VALUES (?, ?, ?, ?, ?, ?, 0)",
);
for (const [id, { status, mimeType, bytes, source }] of Object.entries(files))
  insertFile.run(id, MINE, status, mimeType, bytes, source);
insertFile.run("foreign", "ws_2", "stored", "image/png", 1000, null);

interface Facts {
  hasMalformedUserId: boolean;
  isText: boolean;
  connectionStatus: "active" | "error" | null;
  channel: "official" | "unofficial";
  provider: "whatsapp_cloud" | "waha";
  address: string | null;
  optedOutAt: number | null;
  marketingOptedOutAt: number | null;
  lastInboundAt: number | null;
  wroteFrom: string | null;
  /** The id of the quoted message, or `nothing`. */
  quoted: string;
  kind: "text" | "image" | "interactive" | "reaction";
  file: string;
}

const contentOf = ({ kind, file, quoted }: Facts): OutboundContent | undefined => {
  if (kind === "image") return { type: kind, content: { media_id: file } };
  if (kind === "interactive") return { type: kind, content: { type: "location_request", body: "Where are you?" } };
  return kind === "reaction" ? { type: kind, content: { message_id: quoted, emoji: "👍" } } : undefined;
};

const bindable = z.array(z.union([z.string(), z.number(), z.null()]));

function refusalOf(facts: Facts): unknown {
  const content = contentOf(facts);
  const { quoted } = facts;
  const query = selectRefusal(
    { workspace: { id: MINE, number: 1, shard: 0 }, now: () => NOW },
    {
      message: {
        text: "",
        ...(content !== undefined && { content }),
        replyTo: quoted === "nothing" ? null : quoted,
      },
      select: sql`1 AS one`,
      target: {
        seq: sql`1`,
        connection_id: sql`'con_1'`,
        has_malformed_user_id: sql`${facts.hasMalformedUserId ? 1 : 0}`,
        is_text: sql`${facts.isText ? 1 : 0}`,
        connection_status: sql`${facts.connectionStatus}`,
        channel: sql`${facts.channel}`,
        provider: sql`${facts.provider}`,
        address: sql`${facts.address}`,
        opted_out_at: sql`${facts.optedOutAt}`,
        marketing_opted_out_at: sql`${facts.marketingOptedOutAt}`,
        last_inbound_at: sql`${facts.lastInboundAt}`,
        wrote_from: sql`${facts.wroteFrom}`,
        wrote_from_key: sql`${facts.wroteFrom?.startsWith("+") === true ? facts.wroteFrom : null}`,
      },
      from: sql`(SELECT 1)`,
    },
  );
  const { sql: text, params } = renderSql(query);
  return database.prepare(text).get(...bindable.parse(params))?.refusal;
}

/** The rule in plain code. The test compares it with the conditions in SQL. */
function expectedRefusal(facts: Facts): string | null {
  const { isText, address, optedOutAt, lastInboundAt, wroteFrom, quoted, kind, file } = facts;
  const isOpen = lastInboundAt !== null && NOW < customerServiceWindowEnd(lastInboundAt);
  const isAnswer = isText && isOpen && lastInboundAt > (optedOutAt ?? 0) && wroteFrom === address;
  // An id and a number can belong to one account. Two numbers or two ids cannot.
  const isOther =
    wroteFrom !== null && wroteFrom !== address && wroteFrom.startsWith("+") === (address ?? "").startsWith("+");
  if (facts.hasMalformedUserId) return "malformed_user_id";
  if (["missing", "elsewhere", "reaction"].includes(quoted)) return "unknown_message";
  if (kind === "image" && ["uploading", "foreign"].includes(file)) return "unknown_media";
  if (facts.connectionStatus !== "active") return "connection_inactive";
  if (address === null) return "no_address";
  if (optedOutAt !== null && !isAnswer) return "unsubscribed";
  if (facts.marketingOptedOutAt !== null) return "marketing_opt_out";
  if (facts.channel === "official" && isText && (!isOpen || isOther)) return "window_closed";
  if (kind === "interactive" && facts.provider === "waha") return "unsupported_message";
  if (kind === "image" && ["expired", "large", "page"].includes(file)) return "media_invalid";
  if (kind === "reaction" && ["failed", "skipped"].includes(quoted)) return "reacts_to_failed";
  return kind === "reaction" && quoted === "cancelled" ? "reacts_to_cancelled" : null;
}

/** Half of the times are within some milliseconds of the start of the window. */
const time = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -3, max: 3 }).map((offset) => NOW - WINDOW_MS + offset),
  fc.integer({ min: NOW - 2 * WINDOW_MS, max: NOW }),
);

const mostly = <T>(ordinary: T, ...others: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(ordinary) }, fc.constantFrom(...others));

const facts: fc.Arbitrary<Facts> = fc.record({
  hasMalformedUserId: mostly(false, true),
  isText: fc.boolean(),
  connectionStatus: mostly<Facts["connectionStatus"]>("active", "error", null),
  channel: fc.constantFrom("official", "unofficial"),
  provider: fc.constantFrom("whatsapp_cloud", "waha"),
  address: fc.constantFrom(ADDRESS, ADDRESS, ADDRESS, "BR.user", "BR.user", null),
  optedOutAt: fc.oneof(fc.constant(null), time),
  marketingOptedOutAt: mostly<number | null>(null, NOW - 1),
  lastInboundAt: time,
  wroteFrom: fc.constantFrom(ADDRESS, ADDRESS, "+4930123456", "BR.user", "BR.other", null),
  quoted: fc.constantFrom("nothing", "nothing", "missing", ...Object.keys(quotes)),
  kind: fc.constantFrom("text", "image", "interactive", "reaction"),
  file: fc.constantFrom("foreign", "picture", "picture", ...Object.keys(files)),
});

describe("Rejections in SQL", () => {
  it("The checks in SQL and in TypeScript reject a message for the same reason", () => {
    const seen = new Set<string | null>();
    fc.assert(
      fc.property(facts, (each) => {
        seen.add(expectedRefusal(each));
        expect(refusalOf(each)).toBe(expectedRefusal(each));
      }),
      { numRuns: 5000, endOnFailure: true },
    );
    expect(seen.size).toBe(13);
  });
});
