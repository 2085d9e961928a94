import { sql } from "drizzle-orm";
import { campaigns } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";
import type { CampaignRecord } from "../campaigns.schemas.ts";
import { campaignAsJson, hasStatus, requestedValues } from "../campaigns.sql.ts";
import { insertFiles, isStill, type NewCampaign, type Unstarted } from "../start/start-campaign.sql.ts";

/** A campaign that has not started, with the values it is to have. */
export interface CampaignUpdate extends Unstarted {
  status: CampaignRecord["status"];
  values: NewCampaign;
  /** The changes of its event, as JSON; null where nothing differs. */
  changes: string | null;
}

const textOf = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Gives a campaign that has not started other values. Nothing happens where it has started or was changed since it was read. */
export function updateUnstarted(ctx: Ctx, update: CampaignUpdate, guard: SQL): SQL[] {
  const { status, values, changes } = update;
  const condition = sql`${isStill(ctx, update, status)} AND ${guard}`;
  const updated = sql`SELECT ${event("campaign.updated", sql`id`, sql`${changes}`)} FROM campaigns WHERE ${condition}`;
  return [
    ...(changes === null ? [] : [appendEvents(ctx, updated)]),
    ...insertFiles(ctx, values.fetched, sql`EXISTS (SELECT 1 FROM campaigns WHERE ${condition})`),
    ctx.db
      .update(campaigns)
      .set({
        name: values.name,
        templateId: values.templateId,
        channel: values.channel,
        connectionId: values.connectionId,
        audience: JSON.stringify(values.audience),
        variables: JSON.stringify(values.variables),
        parts: textOf(values.parts),
        recipientCount: values.recipientCount,
        scheduledAt: values.scheduledAt,
        sendBefore: values.sendBefore,
        wakeAt: status === "scheduled" ? values.scheduledAt : null,
      })
      .where(condition)
      .getSQL(),
  ];
}

/** Numbers that come as parameters are floating-point ones, which JSON writes otherwise. */
const integer = (value: number | null): SQL => sql`CAST(${value} AS INTEGER)`;

/** The campaign as JSON where it has the values of the update; no row where the update was not made. */
export const updatedAsJson = (ctx: Ctx, { id, status, values }: CampaignUpdate): SQL => {
  const { name, templateId, channel, connectionId, audience, variables, parts, scheduledAt, sendBefore } = values;
  const wanted = sql`json_array(${name}, ${templateId}, ${channel}, ${connectionId}, ${JSON.stringify(audience)},
    ${JSON.stringify(variables)}, ${textOf(parts)}, ${integer(scheduledAt)}, ${integer(sendBefore)})`;
  return campaignAsJson(ctx, id, sql`${hasStatus(status)} AND ${requestedValues(sql`p`)} = ${wanted}`);
};
