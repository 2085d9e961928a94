import * as z from "zod";
import { batch, type SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { contactLayout, contactRecord } from "../contacts/contacts.schemas.ts";
import { contactJson, layoutJson } from "../contacts/contacts.service.ts";
import { type Definition, definitionsQuery, parseDefinitions } from "../custom-fields/custom-fields.service.ts";
import { commitOnce, recall, recallQuery } from "../idempotency/idempotency.service.ts";
import { tagKey, tagsByKeys } from "../tags/tags.service.ts";
import { compileFilter } from "./segments.filter.ts";
import { readFilter, type SentFilter, tagNamesIn } from "./segments.reading.ts";
import * as repository from "./segments.repository.ts";
import { type SegmentRecord, segmentRecord } from "./segments.schemas.ts";
import { type StoredFilter, tellFilter } from "./segments.stored.ts";
import { hasOwn } from "../../shared/own.ts";

const parse = (json: string): SegmentRecord => segmentRecord.parse(JSON.parse(json));

/** Newest first, one beyond `limit` where there are more. */
export async function listSegments(ctx: Ctx, limit: number, before: string | undefined): Promise<SegmentRecord[]> {
  return (await repository.list(ctx, limit, before)).map(({ result }) => parse(result));
}

/** Throws `not_found`. */
export async function getSegment(ctx: Ctx, id: string): Promise<SegmentRecord> {
  const json = await repository.findAsJson(ctx, id);
  if (json === null) throw notFound("segment");
  return parse(json);
}

const calledTags = z.array(z.object({ number: z.number(), name: z.string(), name_key: z.string() }));

/**
 * The filter in the form it is kept with the custom fields there are, or the answer that the request was given before. Throws `validation_failed` with all
 * its faults: what it names must exist.
 */
async function resolveFilter(
  ctx: Ctx,
  sent: SentFilter,
): Promise<{ filter: StoredFilter; fields: Definition[] } | { known: SegmentRecord }> {
  const [tagRows, fieldRows, record] = await batch(ctx.db, [
    tagsByKeys(ctx, tagNamesIn(sent).map(tagKey)),
    definitionsQuery(ctx),
    recallQuery(ctx),
  ]);
  const known = recall(ctx, record, segmentRecord);
  if (known !== null) return { known };
  const tags = new Map(calledTags.parse(tagRows).map((tag) => [tag.name_key, tag]));
  const fields = parseDefinitions(fieldRows);
  const called = new Map(fields.map((field) => [field.key, field]));
  const dictionary = { tag: (name: string) => tags.get(tagKey(name)), field: (key: string) => called.get(key) };
  const { stored, faults } = readFilter(sent, dictionary);
  if (stored === null) throw invalid(faults);
  return { filter: stored, fields };
}

/** Throws `validation_failed`. */
export async function createSegment(ctx: Ctx, input: { name: string; filter: SentFilter }): Promise<SegmentRecord> {
  const resolved = await resolveFilter(ctx, input.filter);
  if (hasOwn(resolved, "known")) return resolved.known;
  const id = ctx.newId("seg");
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [repository.insert(ctx, id, input.name, resolved.filter, guard)],
    result: repository.segmentAsJson(ctx, id),
    shape: segmentRecord,
  });
  if (result === null) throw new Error("A new segment was not stored.");
  return result;
}

/** Changes what is given. Throws `validation_failed`, `not_found`. */
export async function updateSegment(
  ctx: Ctx,
  id: string,
  { name, filter }: { name?: string | undefined; filter?: SentFilter | undefined },
): Promise<SegmentRecord> {
  const resolved = filter === undefined ? { filter: null } : await resolveFilter(ctx, filter);
  if (hasOwn(resolved, "known")) return resolved.known;
  const changes = name !== undefined || resolved.filter !== null;
  const { result } = await commitOnce(ctx, {
    effects: (guard) => (changes ? [repository.update(ctx, id, name ?? null, resolved.filter, guard)] : []),
    result: repository.segmentAsJson(ctx, id),
    shape: segmentRecord,
  });
  if (result === null) throw notFound("segment");
  return result;
}

/** The segment as it was. Throws `not_found`. */
export async function deleteSegment(ctx: Ctx, id: string): Promise<SegmentRecord> {
  const json = await repository.findAsJson(ctx, id);
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [repository.remove(ctx, id, guard)],
    // Null where it was gone before: then only the record of an earlier answer is left to give.
    result: repository.ifChanged(json ?? ""),
    shape: segmentRecord,
  });
  if (result === null) throw notFound("segment");
  return result;
}

/** Reads a segment, for `parseUsable`. */
export const usableQuery = repository.segmentAsJson;

const usable = z.array(z.object({ result: z.string() }));

/** Throws `not_found`, and `invalid_state` while the filter asks for something that is gone: it must never widen. */
export function parseUsable(rows: unknown): SegmentRecord {
  const [row] = usable.parse(rows);
  if (row === undefined) throw notFound("segment");
  return refuseInvalid(parse(row.result));
}

function refuseInvalid(segment: SegmentRecord): SegmentRecord {
  const { reasons } = tellFilter(segment.filter, segment);
  if (reasons.length === 0) return segment;
  const message = "The segment asks for something that was deleted. Change its filter; `reasons` says where.";
  throw new AppError("invalid_state", message, { status: "invalid", reasons });
}

/** The condition over contacts `c` that a segment stands for now; of archived contacts it says nothing. */
async function segmentCondition(ctx: Ctx, id: string): Promise<SQL> {
  const segment = refuseInvalid(await getSegment(ctx, id));
  return compileFilter(segment.filter, segment.fields, ctx.now());
}

const found = z.array(z.object({ n: z.number(), contact: z.string() }));
const facts = z.tuple([z.object({ floor: z.number(), layout: z.string() })]);

/**
 * Active contacts of a segment numbered below `before`, newest first. `next` is the number the next page is below, or null;
 * a page may be short, since it looks at a bounded number of contacts. Throws as `segmentCondition`.
 */
export async function listSegmentContacts(ctx: Ctx, id: string, page: { limit: number; before: number | undefined }) {
  const condition = await segmentCondition(ctx, id);
  const columns = { contact: contactJson(ctx), layout: layoutJson(ctx) };
  const answer = await repository.findContacts(ctx, condition, columns, page);
  const [{ floor, layout }] = facts.parse(answer.facts);
  const rows = found.parse(answer.rows);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1)?.n : undefined;
  return {
    contacts: shown.map(({ contact }) => contactRecord.parse(JSON.parse(contact))),
    layout: contactLayout.parse(JSON.parse(layout)),
    next: last ?? (floor > 0 ? floor + 1 : null),
  };
}

/** How many active contacts a segment has now. Reads them all. Throws as `segmentCondition`. */
export const countSegmentContacts = async (ctx: Ctx, id: string): Promise<number> =>
  repository.countContacts(ctx, await segmentCondition(ctx, id));

/** How many active contacts a filter that nobody has saved finds now. Reads them all. Throws `validation_failed`. */
export async function countFilterContacts(ctx: Ctx, sent: SentFilter): Promise<number> {
  const resolved = await resolveFilter({ ...ctx, once: null }, sent);
  if (hasOwn(resolved, "known")) throw new Error("A question was taken for one asked before.");
  return repository.countContacts(ctx, compileFilter(resolved.filter, resolved.fields, ctx.now()));
}
