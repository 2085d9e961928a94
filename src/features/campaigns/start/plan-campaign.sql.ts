import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { connections } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { contactLayout } from "../../contacts/contacts.schemas.ts";
import { contactLayoutJson } from "../../contacts/contacts.sql.ts";

/** The channel's connections that a campaign may use: preferably the one with this id, else the default. */
export const selectUsableConnections = (ctx: Ctx, channel: "official" | "unofficial", id: string | null) =>
  ctx.db
    .select({ id: connections.id, status: connections.status })
    .from(connections)
    .where(
      and(
        eq(connections.workspaceId, ctx.workspace.id),
        eq(connections.channel, channel),
        isNull(connections.deletedAt),
        sql`(${connections.id} = ${id} OR ${connections.isDefault})`,
      ),
    )
    .orderBy(sql`${connections.id} = ${id} DESC`);

export const selectConnectionStatus = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ status: connections.status })
    .from(connections)
    .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspace.id), isNull(connections.deletedAt)));

const layoutRow = z.object({ layout: fromJson(contactLayout) });

/** One row with the workspace's custom fields, whose keys are variables of templates. */
export const selectContactLayout = (ctx: Ctx): Statement<z.infer<typeof layoutRow>> =>
  statement(layoutRow, sql`SELECT ${contactLayoutJson(ctx)} AS layout`);
