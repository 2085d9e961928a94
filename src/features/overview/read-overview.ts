import { and, count, desc, eq, exists, gte, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { conversations, deadLetters, jobs, templates, webhooks } from "../../db/schema/index.ts";
import { statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { selectApiKeys } from "../api-keys/api-keys.sql.ts";
import { selectUnendedCampaigns } from "../campaigns/campaigns.sql.ts";
import { selectConnections } from "../connections/connections.sql.ts";
import { baseSeq, lastSeq } from "../contacts/contacts.sql.ts";
import { selectOpenCounts } from "../conversations/conversations.sql.ts";
import { selectMembers } from "../members/members.sql.ts";
import { selectWebhooks } from "../webhooks/webhooks.sql.ts";
import { selectLongestWaiting, selectWaitingCounts } from "./waiting.sql.ts";

const MAX_LISTED = 100;
const WEBHOOKS = 10;
export const MAX_COUNTED = 1000;
const ROWS_PER_LIST = 5;
const JOBS_SINCE_MS = 7 * DAY_MS;

const JOBS_SEARCHED = 50;

function selectFailedJobs({ db, workspace }: Ctx, since: number, limit: number) {
  const latest = db
    .select()
    .from(jobs)
    .where(eq(jobs.workspaceId, workspace.id))
    .orderBy(desc(jobs.id))
    .limit(JOBS_SEARCHED)
    .as("latest");
  return db
    .select({ id: latest.id, action: latest.action, finishedAt: latest.finishedAt })
    .from(latest)
    .where(and(eq(latest.status, "failed"), gte(latest.createdAt, since)))
    .limit(limit);
}

function countDeadEvents({ db, workspace }: Ctx, most: number) {
  const events = db
    .select({ id: deadLetters.id })
    .from(deadLetters)
    .where(eq(deadLetters.workspaceId, workspace.id))
    .limit(most)
    .as("events");
  return db.select({ count: count() }).from(events);
}

const startedRow = z.object({
  contact: z.number(),
  message: z.number(),
  template: z.number(),
  webhook: z.number(),
});

/** Raw SQL, because the query builder cannot write a SELECT without FROM. */
function selectStarted(ctx: Ctx) {
  const { db, workspace } = ctx;
  const writtenIn = db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.workspaceId, workspace.id), ne(conversations.lastMessageId, "")));
  const template = db.select({ id: templates.id }).from(templates).where(eq(templates.workspaceId, workspace.id));
  const webhook = db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.workspaceId, workspace.id));
  return statement(
    startedRow,
    sql`
      SELECT ${lastSeq(ctx)} > ${baseSeq(ctx)} AS contact, ${exists(writtenIn)} AS message,
        ${exists(template)} AS template, ${exists(webhook)} AS webhook`,
  );
}

export async function readOverview(ctx: Ctx) {
  const [shard, control] = await Promise.all([
    transact(ctx.db, {
      open: selectOpenCounts(ctx, MAX_COUNTED),
      waiting: selectLongestWaiting(ctx, ROWS_PER_LIST),
      waitingCounts: selectWaitingCounts(ctx, MAX_COUNTED),
      campaigns: selectUnendedCampaigns(ctx, MAX_LISTED),
      connections: selectConnections(ctx, MAX_LISTED, undefined),
      webhooks: selectWebhooks(ctx, WEBHOOKS, undefined),
      failedJobs: selectFailedJobs(ctx, ctx.now() - JOBS_SINCE_MS, ROWS_PER_LIST),
      deadEvents: countDeadEvents(ctx, MAX_COUNTED),
      started: selectStarted(ctx),
    }),
    transact(ctx.control, { keys: selectApiKeys(ctx, MAX_LISTED, undefined), members: selectMembers(ctx, 1) }),
  ]);
  const [open = { open: 0, unread: 0 }] = shard.open;
  const [waitingCounts = { total: 0, over_hour: 0, over_day: 0 }] = shard.waitingCounts;
  const [started] = shard.started;
  return {
    open,
    waiting: shard.waiting,
    waitingCounts,
    campaigns: shard.campaigns.map(({ result }) => result),
    connections: shard.connections,
    failingWebhooks: shard.webhooks
      .map(({ webhook }) => webhook)
      .filter(({ status }) => status === "probing" || status === "disabled"),
    failedJobs: shard.failedJobs,
    deadEvents: shard.deadEvents[0]?.count ?? 0,
    keys: control.keys,
    steps: {
      connection: shard.connections.length > 0,
      key: control.keys.some(({ lastUsedAt }) => lastUsedAt !== null),
      contact: started?.contact === 1,
      message: started?.message === 1,
      template: started?.template === 1,
      webhook: started?.webhook === 1,
      member: control.members.length > 1,
    },
  };
}

export const listLongestWaiting = (ctx: Ctx, limit: number) =>
  transact(ctx.db, {
    waiting: selectLongestWaiting(ctx, limit),
    connections: selectConnections(ctx, MAX_LISTED, undefined),
  });

export type Overview = Awaited<ReturnType<typeof readOverview>>;
