import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect } from "../../../db/columns.ts";
import { contacts, jobs, tags as tagTable } from "../../../db/schema/index.ts";
import { statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, type Fault, invalid } from "../../../shared/errors.ts";
import { quote } from "../../../shared/text/text.ts";
import { selectFieldsByKey } from "../../custom-fields/custom-fields.sql.ts";
import { checkCustomFieldValues, type FieldDefinition } from "../../custom-fields/custom-fields.values.ts";
import { appendEvents } from "../../events/append-events.sql.ts";
import { commitOnce } from "../../commits/commit-once.ts";
import { findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import { newTag } from "../../tags/tags.service.ts";
import { insertMissingTags, selectTagsByKey, tagCreatedEvents } from "../../tags/tags.sql.ts";
import { defaultsByField } from "../contact-fields.schemas.ts";
import { toContactPatch } from "../contacts.patch.ts";
import { contactNotFound } from "../contacts.service.ts";
import { baseSeq, SEQ_RANGE } from "../contacts.sql.ts";
import type { ContactFilter } from "../search/search-contacts.sql.ts";
import { contactFilterFromQuery } from "../search/search-contacts.ts";
import { completeTotal, COUNTED_WITH_PAGE, selectNewestHitCount } from "../search/search-totals.ts";
import {
  type BulkAction,
  type BulkInput,
  EMPTY_PATCH,
  type JobPatch,
  jobRecord,
  type JobRecord,
  type JobTarget,
} from "./bulk.schemas.ts";
import { jobAsJson } from "./list-jobs.ts";
import { enqueueJobs } from "./queue-jobs.ts";
import { firstSpellings, nameKey } from "../../../shared/text/folding.ts";

const c = columns(contacts, "c");
const t = columns(tagTable, "t");

const seqRow = z.object({ id: z.string(), seq: z.number() });

const selectSeqsOfIds = (ctx: Ctx, ids: readonly string[]) =>
  statement(
    seqRow,
    sql`
      SELECT ${c.id} AS id, ${c.seq} AS seq FROM json_each(${JSON.stringify(ids)}) e
      CROSS JOIN contacts c ON ${c.id} = e.value AND ${c.workspaceId} = ${ctx.workspace.id}`,
  );

interface NewJob {
  id: string;
  action: BulkAction;
  target: JobTarget;
  patch: JobPatch;
  tagKeys: string[];
  /** A job processes the newest contacts first, so its cursor starts above their `seq`. */
  cursor: number;
  total: number;
}

/** Raw SQL: the builder has no conditional insert. */
const insertJob = (ctx: Ctx, { id, action, target, patch, tagKeys, cursor, total }: NewJob, guard: SQL): SQL => {
  const tags = sql`(SELECT json_group_array(${t.number}) FROM json_each(${JSON.stringify(tagKeys)}) k
    CROSS JOIN tags t ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.nameKey} = k.value AND ${t.deletedAt} IS NULL)`;
  const isDone = total === 0;
  return insertSelect(
    jobs,
    {
      id,
      workspaceId: ctx.workspace.id,
      workspaceNumber: ctx.workspace.number,
      action,
      target: JSON.stringify(target),
      change: sql`json_set(${JSON.stringify(patch)}, '$.tags', json(${tags}))`,
      actor: JSON.stringify(ctx.actor),
      status: isDone ? "completed" : "running",
      cursor,
      total,
      createdAt: ctx.now(),
      finishedAt: isDone ? ctx.now() : null,
    },
    sql`WHERE ${guard}`,
  );
};

/** A null in `set` resets a column that cannot be null to its default. */
function readSet(
  set: NonNullable<BulkInput["set"]>,
  definitions: FieldDefinition[],
): { patch: JobPatch; faults: Fault[] } {
  const { values, faults } = checkCustomFieldValues(definitions, set.custom_fields ?? {});
  const patch = toContactPatch({ ...set, values }, { tagKeys: [], replaceTags: false });
  const assigned = Object.entries(patch.set).map(([name, value]) => [name, value ?? defaultsByField.get(name) ?? null]);
  return {
    patch: { set: Object.fromEntries(assigned), folded: patch.folded, values },
    faults: faults.map((fault) => ({ ...fault, path: `set.${fault.path}` })),
  };
}

const unknownTagFault = (name: string, index: number): Fault => ({
  path: `tags.${index}`,
  code: "unknown_tag",
  message: `Tag ${quote(name)} does not exist.`,
});

interface Found {
  definitions: FieldDefinition[];
  tagNumbers: Map<string, number>;
}

/** Runs the checks that do not depend on the contacts. Throws all faults at once. */
function readChange({ action, tags = [], set = {} }: BulkInput, { definitions, tagNumbers }: Found): JobPatch {
  const { patch, faults } = action === "set" ? readSet(set, definitions) : { patch: EMPTY_PATCH, faults: [] };
  const unknown = action === "remove_tags" ? tags.map((name, index) => ({ name, index })) : [];
  const tagFaults = unknown
    .filter(({ name }) => !tagNumbers.has(nameKey(name)))
    .map(({ name, index }) => unknownTagFault(name, index));
  if (faults.length + tagFaults.length > 0) throw invalid([...faults, ...tagFaults]);
  return patch;
}

function storedFilter({ tagKey: key, archived, ...filter }: ContactFilter, { tagNumbers }: Found): JobTarget {
  const tagNumber = key === undefined ? {} : { tagNumber: tagNumbers.get(key) ?? null };
  return { filter: { ...filter, archived: archived ?? false, ...tagNumber } };
}

/** Returns the `seq`s in the order of `ids`. Throws `not_found`. */
async function orderedSeqs(ctx: Ctx, ids: string[], rows: { id: string; seq: number }[]): Promise<number[]> {
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  const missing = ids.find((id) => !seqs.has(id));
  if (missing !== undefined) throw await contactNotFound(ctx, missing);
  return [...seqs.values()];
}

export class TotalChanged extends AppError {
  constructor(readonly total: number) {
    super("conflict", "The number of contacts that match the filter has changed.", { total });
  }
}

/**
 * `confirmed` is the number of contacts that a member confirmed. Throws `not_found`, `validation_failed`,
 * `TotalChanged`, and the errors of `completeTotal`.
 */
export async function startBulk(ctx: Ctx, input: BulkInput, confirmed: number | null = null): Promise<JobRecord> {
  const { action, tags = [], set } = input;
  const ids = input.ids === undefined ? null : [...new Set(input.ids)];
  const filter = input.filter === undefined ? null : contactFilterFromQuery(input.filter);
  const names = firstSpellings(tags);
  const sought = [...names.keys(), ...(filter?.tagKey === undefined ? [] : [filter.tagKey])];
  const { replays, tagRows, definitions, rows, newest } = await transact(ctx.db, {
    replays: selectReplay(ctx),
    tagRows: selectTagsByKey(ctx, sought),
    definitions: [selectFieldsByKey(ctx, Object.keys(set?.custom_fields ?? {}))],
    rows: ids === null ? [] : [selectSeqsOfIds(ctx, ids)],
    newest: filter === null ? [] : [selectNewestHitCount(ctx, filter, COUNTED_WITH_PAGE)],
  });
  const replay = findReplay(ctx, replays, jobRecord);
  if (replay !== null) return replay;
  const found = { definitions, tagNumbers: new Map(tagRows.map(({ name_key, number }) => [name_key, number])) };
  const patch = readChange(input, found);
  const seqs = ids === null ? [] : await orderedSeqs(ctx, ids, rows);
  const total = filter === null ? seqs.length : await completeTotal(ctx, filter, newest);
  if (filter !== null && confirmed !== null && total !== confirmed) throw new TotalChanged(total);
  const job = {
    id: ctx.newId("job"),
    action,
    patch,
    tagKeys: [...names.keys()],
    target: filter === null ? { seqs } : storedFilter(filter, found),
    total,
    cursor: baseSeq(ctx) + (filter === null ? SEQ_RANGE : (newest[0]?.newest ?? 0) + 1),
  };
  const newTags = action === "add_tags" ? [...names.values()].map((name) => newTag(ctx, name)) : [];
  const newTagIds = newTags.map(({ id }) => id);
  const { result, replayed } = await commitOnce(ctx, {
    effects: (guard) => [
      ...insertMissingTags(ctx, newTags, guard),
      ...(newTags.length > 0 ? [appendEvents(ctx, tagCreatedEvents(ctx, newTagIds))] : []),
      insertJob(ctx, job, guard),
    ],
    result: jobAsJson(ctx, job.id),
    shape: jobRecord,
  });
  if (result === null) throw new Error("A job was not stored.");
  if (!replayed && result.status === "running") await enqueueJobs(ctx);
  return result;
}
