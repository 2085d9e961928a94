import type { SQL } from "drizzle-orm";
import { isContention } from "../../commits/retry-on-contention.ts";
import { fetchRow, fetchRows, transact } from "../../../db/statement.ts";
import { type Ctx, type BaseCtx, forWorkspace } from "../../../shared/context.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { jsonBytes } from "../../../shared/text/text.ts";
import { selectFieldDefinitions } from "../../custom-fields/custom-fields.sql.ts";
import { checkCustomFieldValues, type FieldDefinition } from "../../custom-fields/custom-fields.values.ts";
import { runInTurn, type ScanTurn } from "../../scans/scans.service.ts";
import { selectContactLayout } from "../contacts.sql.ts";
import { rangeOfHits } from "../search/search-contacts.sql.ts";
import { failIfLayoutChanged } from "../upsert/write-contacts.sql.ts";
import { contactFilterOfJob, type JobError, type RunningJob, runJobsMessage } from "./bulk.schemas.ts";
import { stepSize } from "./step-size.ts";
import { enqueueJobs } from "./queue-jobs.ts";
import {
  changeContacts,
  countLiveTags,
  failIfJobMoved,
  failIfTagsGone,
  hitsAmong,
  markJobFailed,
  moveJob,
  selectHits,
  selectNextJob,
} from "./run-bulk.sql.ts";

/** Limits per queue message. */
const RUN_MS = 10_000;
const STEPS_PER_RUN = 400;
/** A turn ends after this many steps, so that other large operations of the workspace do not wait for the whole run. */
const STEPS_PER_TURN = 20;

const deletedError = (what: string): JobError => ({ code: "invalid_state", message: `${what} has been deleted.` });
const TAG_GONE = deletedError("A tag to add");
const FIELD_GONE = deletedError("A custom field or option to set");

const holdsValues = ({ change }: RunningJob): boolean => Object.keys(change.values).length > 0;

function fits(definitions: FieldDefinition[], number: string, value: unknown): boolean {
  const definition = definitions.find((each) => String(each.number) === number);
  return (
    definition !== undefined && checkCustomFieldValues([definition], { [definition.key]: value }).faults.length === 0
  );
}

/** Returns a fault if fields, options or tags were deleted after the job was created. */
async function readPremises(ctx: Ctx, job: RunningJob) {
  const { tags } = job.change;
  const addsTags = job.action === "add_tags";
  const { live, layouts, definitions } = await transact(ctx.db, {
    live: addsTags ? [countLiveTags(ctx, tags)] : [],
    layouts: holdsValues(job) ? [selectContactLayout(ctx)] : [],
    definitions: holdsValues(job) ? [selectFieldDefinitions(ctx)] : [],
  });
  const hasTags = !addsTags || live[0]?.count === tags.length;
  const hasFields = Object.entries(job.change.values).every(([number, value]) => fits(definitions, number, value));
  return { layoutVersion: layouts[0]?.version ?? 0, fault: hasTags ? (hasFields ? null : FIELD_GONE) : TAG_GONE };
}

function nextHits(ctx: Ctx, { target, tagKey }: RunningJob, cursor: number, limit: number): SQL {
  if (hasOwn(target, "seqs")) return hitsAmong(target.seqs, cursor, limit);
  const filter = contactFilterOfJob({ target, tagKey });
  return filter === null ? hitsAmong([], cursor, limit) : rangeOfHits(ctx, filter, { limit, offset: 0, after: cursor });
}

const toSeqs = (rows: { seq: number }[]): number[] => rows.map(({ seq }) => seq);

/**
 * `contradictedAt` is the job's cursor when a step failed. If the stored cursor is different, another run moved the
 * job. Otherwise fields or tags changed, and the step is repeated.
 */
type Outcome = "ended" | "turn_over" | "out_of_time" | { contradictedAt: number };

/**
 * A step is one batch that moves the cursor, changes contacts and reads the next ones. A repeated step fails, because
 * the cursor has moved, so it changes no contact twice.
 */
async function runJob(turn: ScanTurn, job: RunningJob, deadline: Deadline): Promise<Outcome> {
  const ctx = { ...turn.ctx, actor: job.actor };
  const { layoutVersion, fault } = await readPremises(ctx, job);
  if (fault !== null) {
    await transact(ctx.db, { failed: markJobFailed(ctx, job, fault) });
    return "ended";
  }
  const size = stepSize(jsonBytes(job.change));
  let { cursor } = job;
  let seqs = toSeqs(await fetchRows(ctx.db, selectHits(nextHits(ctx, job, cursor, size))));
  for (let steps = 0; deadline.allowsStep(); steps++) {
    if (steps === STEPS_PER_TURN) return "turn_over";
    const isLast = seqs.length < size;
    const next = seqs.at(-1) ?? cursor;
    try {
      turn.addRecords(seqs.length);
      const rows = await transact(ctx.db, {
        unmoved: failIfJobMoved(ctx, job, cursor),
        layout: holdsValues(job) ? [failIfLayoutChanged(ctx, layoutVersion)] : [],
        tags: job.action === "add_tags" ? [failIfTagsGone(ctx, job.change.tags)] : [],
        move: moveJob(ctx, job, { seqs, cursor: next, isLast }),
        changes: changeContacts(ctx, job, seqs),
        hits: isLast ? [] : [selectHits(nextHits(ctx, job, next, size))],
      });
      if (isLast) return "ended";
      [cursor, seqs] = [next, toSeqs(rows.hits)];
    } catch (error) {
      if (isContention(error)) return { contradictedAt: cursor };
      throw error;
    }
  }
  return "out_of_time";
}

/** The time starts at the first step. Otherwise a run that waited long for its turn would end without a step. */
class Deadline {
  private steps = 0;
  private startedAt: number | null = null;

  constructor(private readonly ctx: Ctx) {}

  allowsStep(): boolean {
    this.startedAt ??= this.ctx.now();
    return this.steps++ < STEPS_PER_RUN && this.ctx.now() - this.startedAt < RUN_MS;
  }
}

/** Parallel calls are safe, because a run stops if another run moves its job. */
async function runJobs(ctx: Ctx): Promise<void> {
  const deadline = new Deadline(ctx);
  const contradictedAt = new Map<string, number>();
  for (;;) {
    const job = await fetchRow(ctx.db, selectNextJob(ctx));
    if (job === undefined) return;
    if ((contradictedAt.get(job.id) ?? job.cursor) !== job.cursor) return;
    const end = await runInTurn(ctx, (turn) => runJob(turn, job, deadline));
    if (end === "out_of_time") return enqueueJobs(ctx);
    if (typeof end === "object") contradictedAt.set(job.id, end.contradictedAt);
  }
}

export async function consumeJobs(base: BaseCtx, message: unknown): Promise<void> {
  await runJobs(forWorkspace(base, runJobsMessage.parse(message).workspace));
}
