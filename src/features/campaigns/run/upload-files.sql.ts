import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { campaigns, connections } from "../../../db/schema/index.ts";
import { statement, type Statement, transact } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { storedSettings } from "../../connections/connections.schemas.ts";
import { isCampaign } from "../campaigns.sql.ts";
import { changeCampaignStatus } from "../change-status.sql.ts";

const connection = columns(connections);

const sendingConnection = z.object({ provider: z.string(), ...storedSettings });

/** The connection with this id, while it can send. */
export const selectSendingConnection = (ctx: Ctx, id: string): Statement<z.infer<typeof sendingConnection>> =>
  statement(
    sendingConnection,
    sql`
      SELECT ${connection.provider}, ${connection.config}, ${connection.secrets} FROM connections
      WHERE ${connection.id} = ${id} AND ${connection.workspaceId} = ${ctx.workspace.id}
        AND ${connection.deletedAt} IS NULL AND ${connection.status} = 'active'`,
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
