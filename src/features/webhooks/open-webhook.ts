import type { BaseCtx } from "../../shared/context.ts";
import { randomBytes } from "../../shared/security/crypto.ts";
import { typesOf, type WebhookRecord } from "./webhooks.schemas.ts";

const SECRET_PREFIX = "whsec_";

const ownerOf = (webhookId: string) => `${webhookId}.signing`;

export async function makeSecret(ctx: BaseCtx, webhookId: string): Promise<{ secret: string; sealed: string }> {
  const secret = `${SECRET_PREFIX}${randomBytes(24).toBase64()}`;
  return { secret, sealed: await ctx.secrets.seal(secret, ownerOf(webhookId)) };
}

export const openSecret = (ctx: BaseCtx, webhookId: string, sealed: string): Promise<string> =>
  ctx.secrets.open(sealed, ownerOf(webhookId));

export interface OpenWebhook {
  record: WebhookRecord;
  /** All event types that match the patterns of the webhook. */
  types: readonly string[];
  secrets: { secret: string; until: number | null }[];
}

const isInUse = ({ until }: { until: number | null }, now: number): boolean => until === null || until > now;

/** Skips secrets whose overlap has ended, because the key that encrypted them can have been removed. */
export async function openWebhook(ctx: BaseCtx, record: WebhookRecord): Promise<OpenWebhook> {
  const inUse = record.secrets.filter((secret) => isInUse(secret, ctx.now()));
  const secrets = await Promise.all(
    inUse.map(async ({ sealed, until }) => ({ secret: await openSecret(ctx, record.id, sealed), until })),
  );
  return { record, types: typesOf(record.types), secrets };
}

export const signingSecrets = ({ secrets }: OpenWebhook, now: number): string[] =>
  secrets.filter((secret) => isInUse(secret, now)).map(({ secret }) => secret);
