import type { BaseCtx } from "../../shared/context.ts";
import { randomBytes } from "../../shared/security/crypto.ts";
import { typesOf, type WebhookRecord } from "./webhooks.schemas.ts";

/** Begins every signing secret, as the Standard Webhooks specification says; base64 follows. */
const SECRET_PREFIX = "whsec_";

/** A secret opens only as that of its webhook. */
const placeOf = (webhookId: string) => `${webhookId}.signing`;

/** A new signing secret, as its owner is shown it and as it is stored. */
export async function makeSecret(ctx: BaseCtx, webhookId: string): Promise<{ secret: string; sealed: string }> {
  const secret = `${SECRET_PREFIX}${randomBytes(24).toBase64()}`;
  return { secret, sealed: await ctx.secrets.seal(secret, placeOf(webhookId)) };
}

export const openSecret = (ctx: BaseCtx, webhookId: string, sealed: string): Promise<string> =>
  ctx.secrets.open(sealed, placeOf(webhookId));

/** A webhook as its events are sent. */
export interface OpenWebhook {
  record: WebhookRecord;
  /** The types it wants, without patterns. */
  types: readonly string[];
  secrets: { secret: string; until: number | null }[];
}

export async function openWebhook(ctx: BaseCtx, record: WebhookRecord): Promise<OpenWebhook> {
  const secrets = await Promise.all(
    record.secrets.map(async ({ sealed, until }) => ({ secret: await openSecret(ctx, record.id, sealed), until })),
  );
  return { record, types: typesOf(record.types), secrets };
}

/** The secrets that sign at this time. */
export const signingSecrets = ({ secrets }: OpenWebhook, now: number): string[] =>
  secrets.filter(({ until }) => until === null || until > now).map(({ secret }) => secret);
