import * as z from "zod";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import { statement, type Statement } from "../../db/statement.ts";
import { fromJson } from "../../shared/json.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { numbersOf } from "../contacts/contacts.service.ts";
import { readContactPage } from "../contacts/list-contacts.ts";
import { type Definition } from "../custom-fields/custom-fields.values.ts";
import { definitionsQuery, parseDefinitions } from "../custom-fields/custom-fields.sql.ts";
import { commitOnce, recall, recallQuery } from "../idempotency/idempotency.service.ts";
import { answerInTurn, runInTurn, scanAll, scanWindows, type Turn } from "../scans/scans.service.ts";
import { ReadShares } from "../scans/scans.share.ts";
import { CONTACT_WINDOWS, workMs } from "../scans/scans.windows.ts";
import { tagKey } from "../tags/tags.service.ts";
import { tagsByKeys } from "../tags/tags.sql.ts";
import { compileFilter } from "./segments.filter.ts";
import { readFilter, type SentFilter, tagNamesIn } from "./segments.reading.ts";
import * as repository from "./segments.sql.ts";
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

const segmentRow = z.object({ result: fromJson(segmentRecord) });

/** The segment, to give to `requireUsable`; no row where there is none. */
export const selectSegment = (ctx: Ctx, id: string): Statement<z.infer<typeof segmentRow>> =>
  statement(segmentRow, repository.segmentAsJson(ctx, id));

/** Throws `not_found`, and `invalid_state` while the filter names something that was deleted: it must never widen. */
export function requireUsable([row]: z.infer<typeof segmentRow>[]): SegmentRecord {
  if (row === undefined) throw notFound("segment");
  return refuseInvalid(row.result);
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

/** Throws `not_found`, and `invalid_state` as `parseUsable`. */
const getUsable = async (ctx: Ctx, id: string): Promise<SegmentRecord> => refuseInvalid(await getSegment(ctx, id));

/** Contacts of a page looked at before a turn is taken, and in all. */
const NEWEST = 1000;
const EXAMINED = 5000;

const givens = z.tuple([z.object({ given: z.number() })]);

const shares = new ReadShares();

/** The contacts that pass within a span, newest first, at most `limit`; with how many numbers are given. */
async function readSpan(ctx: Ctx, condition: SQL, span: repository.Span, limit: number) {
  const { found, given: givenRows, sqlMs } = await repository.findContacts(ctx, condition, span, limit);
  const [{ given }] = givens.parse(givenRows);
  const { rows, layout } = await readContactPage(ctx, found);
  shares.note(ctx.workspace.id, workMs({ sqlMs, contacts: rows.length }), ctx.now());
  return { rows, layout, given, sqlMs, contacts: rows.length };
}

/**
 * Active contacts of a segment numbered below `before`, newest first. `next` is the number the next page is below, or null;
 * a page may be short, since it looks at a bounded number of contacts: the newest at once, others in a turn of the workspace, and all
 * of them where the workspace has lately read more than its share. Throws as `getUsable` and `runInTurn`.
 */
export async function listSegmentContacts(
  ctx: Ctx,
  id: string,
  { limit, before }: { limit: number; before: number | undefined },
) {
  const segment = await getUsable(ctx, id);
  const condition = compileFilter(segment.filter, segment.fields, ctx.now());
  const start = before === undefined ? null : before - 1;
  const readNewest = () => readSpan(ctx, condition, { high: start, from: 0, to: NEWEST }, limit + 1);
  const readPage = async (held?: Turn) => {
    const { rows, layout, given } = await (held === undefined ? readNewest() : held.read(readNewest));
    const high = start ?? given;
    const end = Math.min(high, EXAMINED);
    if (rows.length > limit || NEWEST >= end) return { rows, layout, high, reached: NEWEST };
    const readOn = (turn: Turn) =>
      scanWindows(turn, { from: NEWEST, sizes: { first: NEWEST, most: EXAMINED - NEWEST } }, async (from, to) => {
        const read = await readSpan(ctx, condition, { high, from, to: Math.min(to, end) }, limit + 1 - rows.length);
        rows.push(...read.rows);
        return { ...read, end: rows.length > limit ? to : end };
      });
    const { reached } = await (held === undefined ? runInTurn(ctx, readOn) : readOn(held));
    return { rows, layout, high, reached };
  };
  const takesTurn = shares.isExceeded(ctx.workspace.id, ctx.now());
  const { rows, layout, high, reached } = await (takesTurn ? runInTurn(ctx, readPage) : readPage());
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1)?.seq : undefined;
  const rest = high > reached ? high - reached + 1 : null;
  return {
    contacts: shown.map(({ contact }) => contact),
    layout,
    next: last === undefined ? rest : last - numbersOf(ctx).base,
  };
}

const countRows = z.tuple([z.object({ count: z.number(), given: z.number() })]);

type Usable = Pick<SegmentRecord, "filter" | "fields">;

/** Counts window by window, in a turn of the workspace: contacts as far as the newest at the start. */
const countContacts = (ctx: Ctx, { filter, fields }: Usable): Promise<number> =>
  answerInTurn(ctx, { asked: ["segment", filter, fields], shape: z.number() }, async (turn) => {
    const condition = compileFilter(filter, fields, ctx.now());
    let total = 0;
    let end: number | null = null;
    await scanAll(turn, { from: 0, sizes: CONTACT_WINDOWS }, async (from, to) => {
      const { counted, sqlMs } = await repository.countWithin(ctx, condition, from, Math.min(to, end ?? to));
      const [{ count, given }] = countRows.parse(counted);
      total += count;
      end ??= given;
      return { sqlMs, end };
    });
    return total;
  });

/**
 * How many active contacts a segment has. Looks at them all; where there are very many, the answer may be some seconds old.
 * Throws as `getUsable` and `answerInTurn`.
 */
export const countSegmentContacts = async (ctx: Ctx, id: string): Promise<number> =>
  countContacts(ctx, await getUsable(ctx, id));

/** The same for a filter that nobody has saved. Throws `validation_failed`, and as `answerInTurn`. */
export async function countFilterContacts(ctx: Ctx, sent: SentFilter): Promise<number> {
  const resolved = await resolveFilter({ ...ctx, once: null }, sent);
  if (hasOwn(resolved, "known")) throw new Error("A question was taken for one asked before.");
  return countContacts(ctx, resolved);
}
