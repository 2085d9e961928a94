import { sql } from "../../db/sql.ts";
import { transact } from "../../db/statement.ts";
import type { TemplateStatus } from "../../channels/channel-templates.ts";
import type { Ctx } from "../../shared/context.ts";
import { appendEvents, type ChangedFields, changeEvents, eventsOf } from "../events/append-events.sql.ts";
import type { EventType } from "../events/events.types.ts";

export interface TemplateReview {
  name: string;
  language: string;
  /** Null leaves it as it is, as do null or no `quality` and `category`. */
  status: TemplateStatus | null;
  reason?: string | null | undefined;
  quality?: string | null | undefined;
  category?: string | null | undefined;
  /** ms since the epoch. */
  at: number;
}

/** The last moment that a provider's time may mean: it is mostly in whole seconds. */
const endOfMoment = (at: number): number => (at % 1000 === 0 ? at + 999 : at);

/** Sets what a review says of an external template, unless something later is known of it. */
export async function updateReviewedTemplate(
  ctx: Ctx,
  connectionId: string,
  { name, language, status, reason = null, quality = null, category = null, at }: TemplateReview,
): Promise<void> {
  const isReviewed = sql`
    connection_id = ${connectionId} AND name = ${name} AND language = ${language} AND workspace_id = ${ctx.workspace.id}
    AND updated_at <= ${endOfMoment(at)}`;
  const next = {
    status: sql`coalesce(${status}, status)`,
    quality: sql`coalesce(${quality}, quality)`,
    category: sql`coalesce(${category}, category)`,
    rejection_reason: status === null ? sql`rejection_reason` : sql`${status === "REJECTED" ? reason : null}`,
  };
  const from = sql`FROM templates WHERE ${isReviewed}`;
  const tell = (type: EventType, fields: ChangedFields) => changeEvents(type, { objectId: sql`id`, fields, from });
  await transact(ctx.db, {
    event: appendEvents(
      ctx,
      eventsOf([
        tell("template.updated", { category: [sql`category`, next.category] }),
        tell("template.status_changed", {
          status: [sql`status`, next.status],
          rejection_reason: [sql`rejection_reason`, next.rejection_reason],
        }),
        tell("template.quality_changed", { quality: [sql`quality`, next.quality] }),
      ]),
    ),
    update: sql`
      UPDATE templates SET status = ${next.status}, quality = ${next.quality}, category = ${next.category},
        rejection_reason = ${next.rejection_reason}, updated_at = max(updated_at, ${at}),
        revision = revision + (category IS NOT ${next.category})
      WHERE ${isReviewed} AND (status, quality, category, rejection_reason, updated_at)
        IS NOT (${next.status}, ${next.quality}, ${next.category}, ${next.rejection_reason}, max(updated_at, ${at}))`,
  });
}
