import { sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { columns } from "../../db/columns.ts";
import { campaigns } from "../../db/schema/index.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { appendEvents, changedFields, event } from "../events/append-events.sql.ts";
import type { EventType } from "../events/events.types.ts";
import type { CampaignRecord } from "./campaigns.schemas.ts";

const campaign = columns(campaigns);

interface StatusChange extends Omit<SQLiteUpdateSetSource<typeof campaigns>, "status"> {
  status: CampaignRecord["status"];
}

/** Sets the status and related columns of the campaign that matches `condition`, and logs the event. */
export function changeCampaignStatus(
  ctx: Ctx,
  type: Extract<EventType, `campaign.${string}`>,
  set: StatusChange,
  condition: SQL,
): SQL[] {
  const { status, lastError = campaigns.lastError } = set;
  const changes = changedFields({
    status: [campaign.status, sql`${status}`],
    last_error: [campaign.lastError, sql`next_error`],
  });
  return [
    appendEvents(
      ctx,
      sql`
        SELECT ${event(type, campaign.id, changes)}
        FROM (SELECT ${campaign.id}, ${campaign.status}, ${campaign.lastError}, ${lastError} AS next_error FROM campaigns WHERE ${condition})`,
    ),
    ctx.db.update(campaigns).set(set).where(condition).getSQL(),
  ];
}
