import { sql } from "drizzle-orm";
import * as z from "zod";
import { campaigns } from "../../../db/schema/index.ts";
import { statement, type Statement, transact } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { storedSettings } from "../../connections/connections.schemas.ts";
import { isCampaign } from "../campaigns.sql.ts";
import { changeCampaignStatus } from "../change-status.sql.ts";

const sendingConnection = z.object({ provider: z.string(), ...storedSettings });

/** The connection with this id, while it can send. */
export const selectSendingConnection = (ctx: Ctx, id: string): Statement<z.infer<typeof sendingConnection>> =>
  statement(
    sendingConnection,
    sql`
      SELECT provider, config, secrets FROM connections
      WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL AND status = 'active'`,
  );

/** Fails a campaign that has sent nothing and cannot send. */
export async function failRunningCampaign(ctx: Ctx, id: string, error: string): Promise<void> {
  await transact(ctx.db, {
    failed: changeCampaignStatus(
      bySystem(ctx),
      "campaign.failed",
      { status: "failed", lastError: error, completedAt: ctx.now(), wakeAt: ctx.now() },
      sql`${isCampaign(ctx, id)} AND ${campaigns.status} = 'running' AND ${campaigns.claimed} = 0`,
    ),
  });
}
