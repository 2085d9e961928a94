import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { AppError, type Fault } from "../../shared/errors.ts";
import { parseUsable, usableQuery } from "../segments/segments.service.ts";
import { type StoredFilter, tellFilter } from "../segments/segments.stored.ts";
import { tagKey } from "../tags/tags.service.ts";
import type { SQL } from "../../db/client.ts";
import type { ResolvedAudience, StoredAudience } from "./campaigns.schemas.ts";
import * as repository from "./find-audience.repository.ts";
import { quote } from "../../shared/text.ts";

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

export interface AudienceCount {
  reachable: number;
  excluded: {
    archived: number;
    unsubscribed: number;
    marketing_opt_out: number;
    no_phone: number;
    duplicate: number;
  };
}

/** Active contacts differ in their numbers whatever the spelling, so nobody is there twice. */
export function readCount(rows: unknown): AudienceCount {
  const by = new Map(countRows.parse(rows).map(({ reason, count }) => [reason, count]));
  const of = (reason: string | null) => by.get(reason) ?? 0;
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

/** How many can be reached, and why the others cannot. Reads the whole audience. */
export const countAudience = async (ctx: Ctx, audience: ResolvedAudience): Promise<AudienceCount> =>
  readCount(await repository.count(ctx, audience));
