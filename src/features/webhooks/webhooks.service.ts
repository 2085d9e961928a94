import { fetchRow, fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, askObject, invalid, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { faultOfUrl } from "../../shared/upstream.ts";
import { getEvent } from "../event-feed/event-feed.service.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { makeSecret, openSecret } from "./open-webhook.ts";
import {
  type WebhookChange,
  type WebhookPlace,
  type WebhookSettings,
  type WebhookState,
  webhookState,
} from "./webhooks.schemas.ts";
import { isSameService } from "./webhooks.origin.ts";
import {
  addWebhookSecret,
  deleteWebhookRow,
  insertWebhook,
  MAX_SECRETS,
  MAX_WEBHOOKS,
  selectUnknownConnections,
  selectWebhooks,
  selectWebhookState,
  setWebhookStatus,
  updateWebhookRow,
  webhookAsJson,
  webhookRevision,
  webhookWithSecretAsJson,
} from "./webhooks.sql.ts";

const WEBHOOK_ID = /^wh_[0-9a-z]{26}$/;

/** The object of a webhook. Throws `not_found` for what cannot be an id: every name would make an object. */
export function senderOf(ctx: Ctx, id: string): ReturnType<Env["WEBHOOK_SENDER"]["getByName"]> {
  if (!WEBHOOK_ID.test(id)) throw notFound("webhook");
  return ctx.webhookSenders.getByName(id);
}

const findPlace = (ctx: Ctx, id: string): Promise<WebhookPlace | null> =>
  askObject(async () => senderOf(ctx, id).place());

/** Makes the object obey what is stored. */
async function tellSender(ctx: Ctx, id: string, { isRestart = false } = {}): Promise<void> {
  await askObject(async () => senderOf(ctx, id).refresh({ id, workspace: ctx.workspace }, isRestart));
}

/** Newest first, one beyond `limit` where there are more. */
export async function listWebhooks(ctx: Ctx, limit: number, before: string | undefined): Promise<WebhookState[]> {
  const rows = await fetchRows(ctx.db, selectWebhooks(ctx, limit, before));
  return Promise.all(rows.map(async ({ result }) => ({ ...result, place: await findPlace(ctx, result.webhook.id) })));
}

/** The webhook as it is stored. Throws `not_found`. */
export async function requireWebhook(ctx: Ctx, id: string): Promise<WebhookState> {
  const row = await fetchRow(ctx.db, selectWebhookState(ctx, id));
  if (row === undefined) throw notFound("webhook");
  return row.result;
}

/** Throws `not_found`. */
export async function getWebhook(ctx: Ctx, id: string): Promise<WebhookState> {
  const state = await requireWebhook(ctx, id);
  return { ...state, place: await findPlace(ctx, id) };
}

/** Throws `validation_failed` for an address that may not be called; `origin` is where this service was reached. */
export function checkUrl(ctx: Ctx, url: string, origin: string): void {
  const isOwn = isSameService(url, origin);
  const fault = isOwn ? "Must not lead to this service itself." : faultOfUrl(url, ctx.allowPrivateUpstreams);
  if (fault !== null) throw invalid({ path: "url", code: "invalid_address", message: fault });
}

/** Throws `not_found` for a connection of another workspace, or of none. */
async function requireConnections(ctx: Ctx, ids: readonly string[] | null | undefined): Promise<void> {
  if (!ids) return;
  const unknown = await fetchRows(ctx.db, selectUnknownConnections(ctx, ids));
  if (unknown.length > 0) throw notFound("connection");
}

type NewWebhook = Pick<WebhookSettings, "url" | "types"> & {
  [Name in Exclude<keyof WebhookSettings, "url" | "types">]?: WebhookSettings[Name] | undefined;
} & { start_after?: string | undefined };

/** Gives the webhook with its secret, which nobody is shown again. Throws `validation_failed`, `not_found`, `conflict`. */
export async function createWebhook(
  ctx: Ctx,
  input: NewWebhook,
  origin: string,
): Promise<{ state: WebhookState; secret: string }> {
  checkUrl(ctx, input.url, origin);
  await requireConnections(ctx, input.connection_ids);
  const id = ctx.newId("wh");
  const { sealed } = await makeSecret(ctx, id);
  const row = {
    id,
    url: input.url,
    description: input.description ?? null,
    types: input.types,
    campaigns: input.campaigns ?? ("include" as const),
    connection_ids: input.connection_ids ?? null,
    batch: input.batch ?? null,
    sealedSecret: sealed,
    startAfter: input.start_after === undefined ? null : (await getEvent(ctx, input.start_after)).sequence,
  };
  const { result, replayed } = await commitOnce(ctx, {
    effects: (guard) => insertWebhook(ctx, row, guard),
    result: webhookAsJson(ctx, id),
    shape: webhookState,
  });
  if (result === null)
    throw new AppError("conflict", `A workspace has ${MAX_WEBHOOKS} webhooks at most.`, { limit: MAX_WEBHOOKS });
  const { webhook } = result;
  // The webhook is there, whether or not its object answers: the cron tells it, too.
  if (!replayed)
    await tellSender(ctx, id).catch((error: unknown) =>
      log.error("webhook_sender_unreachable", { requestId: ctx.requestId, webhookId: id, error }),
    );
  return { state: result, secret: await newestSecret(ctx, webhook) };
}

const newestSecret = async (ctx: Ctx, { id, secrets: [newest] }: WebhookState["webhook"]): Promise<string> =>
  openSecret(ctx, id, newest?.sealed ?? "");

/** Commits a change of a webhook, and has its object obey it. Throws `not_found`. */
async function changeWebhook(
  ctx: Ctx,
  id: string,
  effects: Parameters<typeof commitOnce>[1]["effects"],
  { isRestart = false, isDeletion = false } = {},
): Promise<WebhookState> {
  const { result } = await commitOnce(ctx, {
    effects,
    result: webhookAsJson(ctx, id, await findPlace(ctx, id)),
    isAnsweredFirst: isDeletion,
    currentRevision: webhookRevision(ctx, id),
    shape: webhookState,
  });
  if (result === null) throw notFound("webhook");
  await tellSender(ctx, id, { isRestart });
  return result;
}

/** Changes what is given. Throws `not_found`, `validation_failed`. */
export async function updateWebhook(
  ctx: Ctx,
  id: string,
  change: WebhookChange,
  origin: string,
): Promise<WebhookState> {
  if (change.url !== undefined) {
    const { url } = change;
    try {
      checkUrl(ctx, url, origin);
    } catch (fault) {
      // A stranger's id is none, whatever was sent.
      await requireWebhook(ctx, id);
      throw fault;
    }
  }
  await requireConnections(ctx, change.connection_ids);
  return changeWebhook(ctx, id, (guard) => updateWebhookRow(ctx, id, change, guard));
}

/** Gives the webhook as it was. Throws `not_found`. */
export const deleteWebhook = (ctx: Ctx, id: string): Promise<WebhookState> =>
  changeWebhook(ctx, id, (guard) => deleteWebhookRow(ctx, id, guard), { isDeletion: true });

/** Events wait in the log from then on. Repeating it is fine. Throws `not_found`. */
export const pauseWebhook = (ctx: Ctx, id: string): Promise<WebhookState> =>
  changeWebhook(ctx, id, (guard) => setWebhookStatus(ctx, id, { status: "paused", condition: guard, isAsked: true }));

/** Goes on from where it has come to, also where the endpoint was disabled. Throws `not_found`. */
export const enableWebhook = (ctx: Ctx, id: string): Promise<WebhookState> =>
  changeWebhook(ctx, id, (guard) => setWebhookStatus(ctx, id, { status: "active", condition: guard, isAsked: true }), {
    isRestart: true,
  });

/** Gives the new secret; those before it sign as well for `overlapSeconds`. Throws `not_found`, `invalid_state`. */
export async function rotateSecret(ctx: Ctx, id: string, overlapSeconds: number): Promise<string> {
  const { sealed } = await makeSecret(ctx, id);
  const until = ctx.now() + overlapSeconds * 1000;
  const { result } = await commitOnce(ctx, {
    effects: (guard) => addWebhookSecret(ctx, id, sealed, until, guard),
    result: webhookWithSecretAsJson(ctx, id, sealed),
    shape: webhookState,
  });
  if (result === null) {
    const { webhook } = await requireWebhook(ctx, id);
    const message = `${MAX_SECRETS} secrets sign already. Wait until the overlap of one is over, or rotate with none.`;
    throw new AppError("invalid_state", message, { status: webhook.status });
  }
  await tellSender(ctx, id);
  return newestSecret(ctx, result.webhook);
}
