import { sql } from "drizzle-orm";
import type { Ctx } from "../../shared/context.ts";
import { AppError, askObject, invalid, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { faultOfUrl } from "../../shared/network/upstream.ts";
import { changeRecord, requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { getEvent } from "../event-feed/event-feed.service.ts";
import { createdEvent, type NewEvent } from "../events/events.changes.ts";
import { nextSequence } from "../events/event-log.sql.ts";
import { makeSecret, openSecret } from "./open-webhook.ts";
import { addSecret, type ChangedWebhook, changeSettings, changeStatus, tooManyWebhooks } from "./webhooks.changes.ts";
import { isSameService } from "../../shared/network/addresses.ts";
import {
  type WebhookChange,
  type WebhookProgress,
  type WebhookRecord,
  type WebhookRow,
  type WebhookSettings,
  type WebhookState,
  webhookState,
} from "./webhooks.schemas.ts";
import {
  deleteWebhookRow,
  insertWebhook,
  logBounds,
  selectLastAllowedWebhook,
  selectUnknownConnections,
  selectWebhook,
  selectWebhooks,
  selectWebhookState,
  updateWebhookRow,
} from "./webhooks.sql.ts";

const KIND = "webhook";
const WEBHOOK_ID = /^wh_[0-9a-z]{26}$/;

/**
 * Calling an object creates it, whatever its name. An id in the wrong format is therefore rejected first, with
 * `not_found`.
 */
export function senderOf(ctx: Ctx, id: string): ReturnType<Env["WEBHOOK_SENDER"]["getByName"]> {
  if (!WEBHOOK_ID.test(id)) throw notFound(KIND);
  return ctx.webhookSenders.getByName(id);
}

const findProgress = (ctx: Ctx, id: string): Promise<WebhookProgress | null> =>
  askObject(async () => senderOf(ctx, id).place());

async function notifySender(ctx: Ctx, id: string, { isRestart = false } = {}): Promise<void> {
  await askObject(async () => senderOf(ctx, id).refresh({ id, workspace: ctx.workspace }, isRestart));
}

export async function listWebhooks(ctx: Ctx, limit: number, before: string | undefined): Promise<WebhookState[]> {
  const rows = await selectWebhooks(ctx, limit, before);
  return Promise.all(rows.map(async (row) => ({ ...row, place: await findProgress(ctx, row.webhook.id) })));
}

export async function requireWebhook(ctx: Ctx, id: string): Promise<WebhookState> {
  return { ...requireRow(await selectWebhookState(ctx, id), KIND), place: null };
}

export async function getWebhook(ctx: Ctx, id: string): Promise<WebhookState> {
  const state = await requireWebhook(ctx, id);
  return { ...state, place: await findProgress(ctx, id) };
}

function findUrlFault(ctx: Ctx, url: string, origin: string): AppError | null {
  const isOwn = isSameService(url, origin);
  const fault = isOwn ? "Must not be an address of this service." : faultOfUrl(url, ctx.allowPrivateUpstreams);
  return fault === null ? null : invalid({ path: "url", code: "invalid_address", message: fault });
}

export function checkUrl(ctx: Ctx, url: string, origin: string): void {
  const fault = findUrlFault(ctx, url, origin);
  if (fault !== null) throw fault;
}

async function requireConnections(ctx: Ctx, ids: readonly string[] | null | undefined): Promise<void> {
  if (!ids) return;
  const unknown = await selectUnknownConnections(ctx, ids);
  if (unknown.length > 0) throw notFound("connection");
}

type NewWebhook = Pick<WebhookSettings, "url" | "types"> & {
  [Name in Exclude<keyof WebhookSettings, "url" | "types">]?: WebhookSettings[Name] | undefined;
} & { start_after?: string | undefined };

export async function createWebhook(
  ctx: Ctx,
  input: NewWebhook,
  origin: string,
): Promise<{ state: WebhookState; secret: string }> {
  checkUrl(ctx, input.url, origin);
  await requireConnections(ctx, input.connection_ids);
  const startAfter = input.start_after === undefined ? null : (await getEvent(ctx, input.start_after)).sequence;
  const [id, now] = [ctx.newId("wh"), ctx.now()];
  const { sealed } = await makeSecret(ctx, id);
  const fields = {
    url: input.url,
    description: input.description ?? null,
    types: input.types,
    campaigns: input.campaigns ?? ("include" as const),
    connection_ids: input.connection_ids ?? null,
    batch: input.batch ?? null,
    status: "active" as const,
  };
  const state = await decideAndCommit(ctx, {
    shape: webhookState,
    reads: { lastAllowed: selectLastAllowedWebhook(ctx) },
    expectsNothing: true,
    decide({ lastAllowed }) {
      if (lastAllowed.length > 0) return tooManyWebhooks();
      const secrets = [{ sealed, until: null }];
      const webhook = { ...fields, id, secrets, status_reason: null, created_at: now, updated_at: now, revision: 1 };
      // By default, the webhook receives only events after its creation.
      const creation = nextSequence(sql`${ctx.workspace.id}`);
      const { oldest, newest } = logBounds(ctx);
      return {
        writes: insertWebhook(ctx, webhook, startAfter ?? creation),
        events: [createdEvent("webhook.created", id, fields)],
        answer: { webhook: { ...webhook, start_after: startAfter ?? newest }, place: null, oldest, newest },
      };
    },
  });
  // The webhook is stored even if its object cannot be reached now. The sweep wakes the object later.
  await notifySender(ctx, state.webhook.id).catch((error: unknown) =>
    log.error("webhook_sender_unreachable", { requestId: ctx.requestId, webhookId: id, error }),
  );
  return { state, secret: await newestSecret(ctx, state.webhook) };
}

const newestSecret = async (ctx: Ctx, { id, secrets: [newest] }: WebhookRecord): Promise<string> =>
  openSecret(ctx, id, newest?.sealed ?? "");

async function changeWebhook(
  ctx: Ctx,
  id: string,
  change: (webhook: WebhookRow) => ChangedWebhook | AppError,
  {
    progress = null,
    isRestart = false,
    isDeletion = false,
  }: { progress?: WebhookProgress | null; isRestart?: boolean; isDeletion?: boolean } = {},
): Promise<WebhookState> {
  const state = await changeRecord(ctx, {
    kind: KIND,
    shape: webhookState,
    record: selectWebhook(ctx, id),
    decide(before) {
      const changed = change(before);
      if (changed instanceof AppError) return changed;
      const { webhook, events } = changed;
      return {
        writes: isDeletion ? deleteWebhookRow(ctx, id) : updateWebhookRow(ctx, before, webhook),
        events,
        answer: { webhook, place: progress, ...logBounds(ctx) },
      };
    },
  });
  await notifySender(ctx, id, { isRestart });
  return state;
}

export async function updateWebhook(
  ctx: Ctx,
  id: string,
  change: WebhookChange,
  origin: string,
): Promise<WebhookState> {
  const fault = change.url === undefined ? null : findUrlFault(ctx, change.url, origin);
  if (fault === null) await requireConnections(ctx, change.connection_ids);
  const now = ctx.now();
  return changeWebhook(ctx, id, (webhook) => fault ?? changeSettings(webhook, change, now), {
    progress: await findProgress(ctx, id),
  });
}

export async function deleteWebhook(ctx: Ctx, id: string): Promise<WebhookState> {
  const events: NewEvent[] = [{ type: "webhook.deleted", id }];
  const progress = await findProgress(ctx, id);
  const state = await changeWebhook(ctx, id, (webhook) => ({ webhook, events }), { progress, isDeletion: true });
  return { ...state, newest: state.newest - events.length };
}

async function requestStatus(ctx: Ctx, id: string, status: WebhookRecord["status"]): Promise<WebhookState> {
  const now = ctx.now();
  const change = { status, reason: null, isRequested: true };
  return changeWebhook(ctx, id, (webhook) => changeStatus(webhook, change, now), {
    progress: await findProgress(ctx, id),
    isRestart: status === "active",
  });
}

/** Stops sending. Events wait in the log until the webhook is enabled again. */
export const pauseWebhook = (ctx: Ctx, id: string): Promise<WebhookState> => requestStatus(ctx, id, "paused");

/** Continues after the last completed event, even if the webhook was disabled after failures. */
export const enableWebhook = (ctx: Ctx, id: string): Promise<WebhookState> => requestStatus(ctx, id, "active");

export async function rotateSecret(ctx: Ctx, id: string, overlapSeconds: number): Promise<string> {
  const { sealed } = await makeSecret(ctx, id);
  const now = ctx.now();
  const added = { sealed, until: now + overlapSeconds * 1000 };
  const { webhook } = await changeWebhook(ctx, id, (before) => addSecret(before, added, now));
  return newestSecret(ctx, webhook);
}
