import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectCampaignsOfContact } from "./find-campaigns.sql.ts";

/** The campaigns that a contact was sent, latest first. Meant for contacts who have no conversation, and so few messages. */
export const findCampaignsOfContact = (ctx: Ctx, contactId: string): Promise<{ id: string; name: string }[]> =>
  fetchRows(ctx.db, selectCampaignsOfContact(ctx, contactId));
