import { revise } from "../../shared/edit-conflicts.ts";
import { AppError } from "../../shared/errors.ts";
import type { NewEvent } from "../events/events.changes.ts";
import { updatedEvents } from "../events/events.changes.ts";
import type { WebhookChange, WebhookRow } from "./webhooks.schemas.ts";

export const MAX_WEBHOOKS = 10;
const MAX_SECRETS = 5;

export const tooManyWebhooks = (): AppError =>
  new AppError("conflict", `A workspace has at most ${MAX_WEBHOOKS} webhooks.`, { limit: MAX_WEBHOOKS });

export interface ChangedWebhook {
  webhook: WebhookRow;
  events: NewEvent[];
}

export function changeSettings(webhook: WebhookRow, change: WebhookChange, now: number): ChangedWebhook {
  const revised = revise(webhook, change, now);
  const { updated_at, revision } = webhook;
  const events = updatedEvents("webhook.updated", webhook.id, webhook, { ...revised, updated_at, revision });
  return { webhook: revised, events };
}

export function changeStatus(
  webhook: WebhookRow,
  { status, reason, isRequested }: { status: WebhookRow["status"]; reason: string | null; isRequested: boolean },
  now: number,
): ChangedWebhook {
  const after = { ...webhook, status, status_reason: reason };
  const type = status === "disabled" ? "webhook.disabled" : "webhook.updated";
  const events = updatedEvents(type, webhook.id, webhook, after);
  if (events.length === 0) return { webhook, events };
  return { webhook: { ...after, updated_at: now, revision: webhook.revision + (isRequested ? 1 : 0) }, events };
}

export function addSecret(
  webhook: WebhookRow,
  { sealed, until }: { sealed: string; until: number },
  now: number,
): ChangedWebhook | AppError {
  const signing = webhook.secrets
    .map((secret) => ({ sealed: secret.sealed, until: Math.min(secret.until ?? until, until) }))
    .filter((secret) => secret.until > now);
  if (signing.length >= MAX_SECRETS) {
    const message = `${MAX_SECRETS} secrets are already in use. Wait until an overlap ends, or rotate without an overlap.`;
    return new AppError("invalid_state", message, { status: webhook.status });
  }
  return {
    webhook: { ...webhook, secrets: [{ sealed, until: null }, ...signing], updated_at: now },
    events: [{ type: "webhook.updated", id: webhook.id }],
  };
}
