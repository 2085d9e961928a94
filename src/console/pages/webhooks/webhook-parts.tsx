import type { FC } from "hono/jsx";
import {
  presentWebhook,
  typesOf,
  type WebhookRecord,
  type WebhookState,
} from "../../../features/webhooks/webhooks.schemas.ts";
import { eventTypes } from "../../../features/events/events.types.ts";
import { Badge, LocalTime, type Tone } from "../../kit/feedback.tsx";
import { formatCount } from "../../kit/format.ts";

export const WEBHOOKS_PATH = "/settings/webhooks";

export const viewWebhook = (state: WebhookState) => ({
  ...presentWebhook(state),
  failingSince: state.place?.failingSince ?? null,
});

export type WebhookView = ReturnType<typeof viewWebhook>;

type Status = WebhookRecord["status"];

const statuses = {
  active: { label: "Active", tone: "good" },
  probing: { label: "Failing", tone: "warning" },
  paused: { label: "Paused", tone: "plain" },
  disabled: { label: "Disabled", tone: "bad" },
} satisfies Record<Status, { label: string; tone: Tone }>;

/** An active webhook whose last attempt failed doesn't show as working. */
export const WebhookStatusBadge: FC<Pick<WebhookView, "status" | "failingSince">> = ({ status, failingSince }) =>
  status === "active" && failingSince !== null ? (
    <>
      <Badge tone="warning">Failing</Badge> since <LocalTime at={failingSince} />
    </>
  ) : (
    <Badge tone={statuses[status].tone}>{statuses[status].label}</Badge>
  );

/** The description, or the URL without its scheme. */
export const webhookName = ({ description, url }: Pick<WebhookView, "description" | "url">): string =>
  description ?? url.replace(/^https?:\/\//, "").replace(/\?.*$/, "");

/** `3 event types`, or the types themselves if short. */
export function describeTypes(patterns: readonly string[]): string {
  const count = typesOf(patterns).length;
  if (count === eventTypes.length) return "All events";
  return patterns.length <= 3 ? patterns.join(", ") : formatCount(count, "event type", "event types");
}

/** `12 events behind`. */
export const describeLag = (lag: number): string => (lag === 0 ? "Up to date" : `${formatCount(lag, "event")} behind`);

/** A time, or a placeholder. */
export const TimeOr: FC<{ at: string | null; otherwise: string }> = ({ at, otherwise }) =>
  at === null ? <>{otherwise}</> : <LocalTime at={Date.parse(at)} />;
