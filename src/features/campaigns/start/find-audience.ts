import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { contacts } from "../../../db/schema/index.ts";
import { statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { AppError, type Fault } from "../../../shared/errors.ts";
import { quote } from "../../../shared/text/text.ts";
import { nameKey } from "../../../shared/text/folding.ts";
import { contactFacts } from "../../contacts/contacts.schemas.ts";
import { contactFactsJson, isNumberedWithin, newestContactNumber } from "../../contacts/contacts.sql.ts";
import { hasIdentity, userIdAt } from "../../contacts/identity/provider-ids.sql.ts";
import { compileFilter } from "../../segments/compile-filter.sql.ts";
import { answerInTurn, runInTurn, scanAll, type ScanTurn, type TurnWait } from "../../scans/scans.service.ts";
import { CONTACT_SLICES } from "../../scans/scans.slices.ts";
import { requireUsable } from "../../segments/segments.service.ts";
import { type StoredFilter, findInvalidReasons } from "../../segments/segments.stored.ts";
import type { ResolvedAudience, StoredAudience, StartCampaign } from "../campaigns.schemas.ts";
import { exclusionCases } from "../campaigns.sql.ts";

const c = columns(contacts, "c");

export const isInAudience = ({ filters, at }: ResolvedAudience): SQL =>
  sql.join([sql`TRUE`, ...filters.map(({ filter, fields }) => compileFilter(filter, fields, at))], sql` AND `);

/**
 * The reason why contact `c` cannot receive the campaign, or NULL if it can. The condition on `phoneKey` comes first,
 * so that SQLite looks up identities only for contacts without a phone number.
 */
export const exclusionReason = (ctx: Ctx, connectionId: SQL): SQL => sql`CASE ${exclusionCases(ctx)}
  WHEN ${c.phoneKey} IS NULL AND ${userIdAt(c.seq, connectionId)} IS NULL
  THEN iif(${hasIdentity(c.seq)}, 'no_address', 'no_phone') END`;

const reasonCount = z.object({ reason: z.string().nullable(), count: z.number() });

interface ReachedAudience {
  audience: ResolvedAudience;
  connectionId: string;
}

const selectReasonCounts = (ctx: Ctx, { audience, connectionId }: ReachedAudience, within: SQL) =>
  statement(
    reasonCount,
    sql`
      SELECT ${exclusionReason(ctx, sql`${connectionId}`)} AS reason, count(*) AS count FROM contacts c
      WHERE ${within} AND ${isInAudience(audience)} GROUP BY reason`,
  );

const audienceExample = z.object({ id: z.string(), user_id: z.string().nullable(), facts: fromJson(contactFacts) });

const selectExamples = (ctx: Ctx, { audience, connectionId }: ReachedAudience, within: SQL, limit: number) =>
  statement(
    audienceExample,
    sql`
      SELECT ${c.id} AS id, iif(${c.phoneKey} IS NULL, ${userIdAt(c.seq, sql`${connectionId}`)}, NULL) AS user_id, ${contactFactsJson} AS facts
      FROM contacts c
      WHERE ${within} AND ${isInAudience(audience)} AND ${exclusionReason(ctx, sql`${connectionId}`)} IS NULL ORDER BY ${c.seq} LIMIT ${limit}`,
  );

const numbersRow = z.object({ newest: z.number() });

async function countAudienceWindow(ctx: Ctx, reached: ReachedAudience, within: SQL, maxExamples: number) {
  const { counts, examples, numbers } = await transact(ctx.db, {
    counts: selectReasonCounts(ctx, reached, within),
    numbers: statement(numbersRow, sql`SELECT ${newestContactNumber(ctx)} AS newest`),
    examples: maxExamples === 0 ? [] : [selectExamples(ctx, reached, within, maxExamples)],
  });
  return { counts, examples, newest: numbers[0]?.newest ?? 0 };
}

type RequestedAudience = Pick<StartCampaign, "filter_tags" | "filter_tags_mode" | "filter_status" | "segment_id">;

interface FoundTag {
  number: number;
  name: string;
  name_key: string;
}

export function readAudience(requested: RequestedAudience, foundTags: readonly FoundTag[]) {
  const { filter_tags: names = [], filter_tags_mode: mode = "all", filter_status: status, segment_id } = requested;
  const byKey = new Map(foundTags.map((tag) => [tag.name_key, tag]));
  const wanted = names.map((name) => byKey.get(nameKey(name)));
  const faults = names.flatMap((name, at): Fault[] =>
    wanted[at] === undefined
      ? [{ path: `filter_tags.${at}`, code: "unknown_tag", message: `Tag ${quote(name)} does not exist.` }]
      : [],
  );
  const tags = [...new Map(wanted.flatMap((tag) => (tag === undefined ? [] : [[tag.number, tag.name] as const])))];
  const conditions: StoredFilter["conditions"] = [];
  if (names.length > 0) {
    const op = mode === "all" ? "has_all" : "has_any";
    conditions.push({ field: "tags", op, value: tags.map(([number]) => number) });
  }
  if (status !== undefined) conditions.push({ field: "status", op: "eq", value: status });
  const filter: StoredFilter = {
    match: "all",
    conditions,
    tags: tags.map(([number, name]) => ({ number, name })),
    fields: [],
  };
  return {
    audience: { filter: conditions.length === 0 ? null : filter, segmentId: segment_id ?? null, resolved: null },
    faults,
  };
}

/** Throws if a tag or the segment was deleted, because a campaign without this filter would reach more people. */
export function resolveAudience(
  ctx: Pick<Ctx, "now">,
  { filter, segmentId }: StoredAudience,
  found: { tags: readonly { number: number; name: string }[]; segment: Parameters<typeof requireUsable>[0] },
): ResolvedAudience {
  if (filter !== null && findInvalidReasons(filter, { tags: found.tags, fields: [] }).length > 0) {
    throw new AppError("invalid_state", "A tag of the audience was deleted.", { status: "invalid" });
  }
  const own = filter === null ? [] : [{ filter, fields: [] }];
  const segment = segmentId === null ? [] : [requireUsable(found.segment)];
  return {
    filters: [...own, ...segment.map(({ filter: saved, fields }) => ({ filter: saved, fields }))],
    at: ctx.now(),
  };
}

const audienceCount = z.object({
  reachable: z.number(),
  excluded: z.object({
    archived: z.number(),
    unsubscribed: z.number(),
    marketing_opt_out: z.number(),
    no_phone: z.number(),
    no_address: z.number(),
    duplicate: z.number(),
  }),
});

export type AudienceCount = z.infer<typeof audienceCount>;

/** Duplicates are always 0 here, because two active contacts cannot have the same normalized number. */
function summarize(counts: ReadonlyMap<string | null, number>): AudienceCount {
  const count = (reason: string | null) => counts.get(reason) ?? 0;
  return {
    reachable: count(null),
    excluded: {
      archived: count("archived"),
      unsubscribed: count("unsubscribed"),
      marketing_opt_out: count("marketing_opt_out"),
      no_phone: count("no_phone"),
      no_address: count("no_address"),
      duplicate: 0,
    },
  };
}

const countedAudience = audienceCount.extend({
  people: z.array(z.object({ id: z.string(), user_id: z.string().nullable(), facts: contactFacts })),
});

type CountedAudience = z.infer<typeof countedAudience>;

/** Counts one range of contact numbers after the other. Contacts that are created during the count are not included. */
async function scanAudience(turn: ScanTurn, reached: ReachedAudience, maxExamples: number): Promise<CountedAudience> {
  const counts = new Map<string | null, number>();
  const people: CountedAudience["people"] = [];
  let end: number | null = null;
  await scanAll(turn, { from: 0, sizes: CONTACT_SLICES }, async (from, to) => {
    const within = isNumberedWithin(turn.ctx, from, Math.min(to, end ?? to));
    const found = await countAudienceWindow(turn.ctx, reached, within, maxExamples - people.length);
    for (const { reason, count } of found.counts) counts.set(reason, (counts.get(reason) ?? 0) + count);
    people.push(...found.examples);
    end ??= found.newest;
    return { end };
  });
  return { ...summarize(counts), people };
}

export const countAudience = (ctx: Ctx, reached: ReachedAudience, wait?: TurnWait): Promise<AudienceCount> =>
  runInTurn(ctx, (turn) => scanAudience(turn, reached, 0), { wait });

/**
 * A workspace runs one count at a time, and equal requests share its result. With many contacts, the count can
 * therefore be a few seconds old.
 */
export const previewAudience = (ctx: Ctx, reached: ReachedAudience, maxExamples: number): Promise<CountedAudience> =>
  answerInTurn(
    ctx,
    { key: ["audience", reached.audience.filters, reached.connectionId, maxExamples], shape: countedAudience },
    (turn) => scanAudience(turn, reached, maxExamples),
  );
