import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, type Fault } from "../../../shared/errors.ts";
import { fromJson } from "../../../shared/json.ts";
import { contactFacts } from "../../contacts/contacts.schemas.ts";
import { answerInTurn, runInTurn, scanAll, type Turn } from "../../scans/scans.service.ts";
import { CONTACT_WINDOWS } from "../../scans/scans.slices.ts";
import { parseUsable, usableQuery } from "../../segments/segments.service.ts";
import type { StoredFilter } from "../../segments/segments.stored.ts";
import { tellFilter } from "../../segments/segments.validity.ts";
import { tagKey } from "../../tags/tags.service.ts";
import type { SQL } from "../../../db/statement.ts";
import type { ResolvedAudience, StoredAudience } from "../campaigns.schemas.ts";
import * as repository from "./find-audience.sql.ts";
import { quote } from "../../../shared/text.ts";

interface AskedAudience {
  filter_tags?: string[] | undefined;
  filter_tags_mode?: "all" | "any" | undefined;
  filter_status?: string | undefined;
  segment_id?: string | undefined;
}

const knownTags = z.array(z.object({ number: z.number(), name: z.string(), name_key: z.string() }));

/** What was asked for in the form it is kept, and the tags that do not exist. `tagRows` are of `tagsByKeys`. */
export function readAudience(asked: AskedAudience, tagRows: unknown): { audience: StoredAudience; faults: Fault[] } {
  const { filter_tags: names = [], filter_tags_mode: mode = "all", filter_status: status, segment_id } = asked;
  const known = new Map(knownTags.parse(tagRows).map((tag) => [tag.name_key, tag]));
  const wanted = names.map((name) => known.get(tagKey(name)));
  const faults = names.flatMap((name, at) =>
    wanted[at] === undefined
      ? [{ path: `filter_tags.${at}`, code: "unknown_tag", message: `There is no tag ${quote(name)}.` }]
      : [],
  );
  const tags = [...new Map(wanted.flatMap((tag) => (tag === undefined ? [] : [[tag.number, tag.name] as const])))];
  const conditions: StoredFilter["conditions"] = [
    ...(names.length === 0
      ? []
      : [
          {
            field: "tags",
            op: mode === "all" ? ("has_all" as const) : ("has_any" as const),
            value: tags.map(([number]) => number),
          },
        ]),
    ...(status === undefined ? [] : [{ field: "status", op: "eq" as const, value: status }]),
  ];
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

/** Reads the segment an audience asks for, for `resolveAudience`; no rows where it asks for none. */
export const segmentQuery = (ctx: Ctx, segmentId: string | null): SQL => usableQuery(ctx, segmentId ?? "");

const survivingTags = z.array(z.object({ number: z.number(), name: z.string() }));

/**
 * How an audience is understood now. Throws `not_found`, and `invalid_state` where it asks for what was deleted since: it must
 * never widen.
 */
export function resolveAudience(
  ctx: Ctx,
  { filter, segmentId }: StoredAudience,
  rows: { tags: unknown; segment: unknown },
): ResolvedAudience {
  const tags = survivingTags.parse(rows.tags);
  if (filter !== null && tellFilter(filter, { tags, fields: [] }).reasons.length > 0) {
    throw new AppError("invalid_state", "A tag of the audience was deleted.", { status: "invalid" });
  }
  const own = filter === null ? [] : [{ filter, fields: [] }];
  const segment = segmentId === null ? [] : [parseUsable(rows.segment)];
  return {
    filters: [...own, ...segment.map(({ filter: saved, fields }) => ({ filter: saved, fields }))],
    at: ctx.now(),
  };
}

const countRows = z.array(z.object({ reason: z.string().nullable(), count: z.number() }));
const givens = z.tuple([z.object({ given: z.number() })]);

const audienceCount = z.object({
  reachable: z.number(),
  excluded: z.object({
    archived: z.number(),
    unsubscribed: z.number(),
    marketing_opt_out: z.number(),
    no_phone: z.number(),
    duplicate: z.number(),
  }),
});

export type AudienceCount = z.infer<typeof audienceCount>;

/** Active contacts differ in their numbers whatever the spelling, so nobody is there twice. */
function readCount(counts: ReadonlyMap<string | null, number>): AudienceCount {
  const of = (reason: string | null) => counts.get(reason) ?? 0;
  return {
    reachable: of(null),
    excluded: {
      archived: of("archived"),
      unsubscribed: of("unsubscribed"),
      marketing_opt_out: of("marketing_opt_out"),
      no_phone: of("no_phone"),
      duplicate: 0,
    },
  };
}

const examples = z.array(z.object({ id: z.string(), facts: fromJson(contactFacts) }));
const countedAudience = audienceCount.extend({ people: z.array(z.object({ id: z.string(), facts: contactFacts })) });

type CountedAudience = z.infer<typeof countedAudience>;

/** Looks at every contact there is at the start, window by window; `shown` of those who can be reached are given as examples. */
async function scanAudience(turn: Turn, audience: ResolvedAudience, shown: number): Promise<CountedAudience> {
  const { ctx } = turn;
  const counts = new Map<string | null, number>();
  const people: CountedAudience["people"] = [];
  let end: number | null = null;
  await scanAll(turn, { from: 0, sizes: CONTACT_WINDOWS }, async (from, to) => {
    const wanted = shown - people.length;
    const read = await repository.countWithin(ctx, audience, from, Math.min(to, end ?? to), wanted);
    for (const { reason, count } of countRows.parse(read.counts)) counts.set(reason, (counts.get(reason) ?? 0) + count);
    people.push(...examples.parse(read.people));
    end ??= givens.parse(read.given)[0].given;
    return { sqlMs: read.sqlMs, end };
  });
  return { ...readCount(counts), people };
}

/** How many can be reached, and why the others cannot. Throws as `runInTurn`. */
export const countAudience = (ctx: Ctx, audience: ResolvedAudience): Promise<AudienceCount> =>
  runInTurn(ctx, (turn) => scanAudience(turn, audience, 0));

/** The same with the first `shown` who can be reached; of many contacts it may be some seconds old. Throws as `answerInTurn`. */
export const showAudience = (ctx: Ctx, audience: ResolvedAudience, shown: number): Promise<CountedAudience> =>
  answerInTurn(ctx, { asked: ["audience", audience.filters, shown], shape: countedAudience }, (turn) =>
    scanAudience(turn, audience, shown),
  );
