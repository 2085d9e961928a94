import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import {
  type FoundCampaign,
  type FoundContact,
  selectFoundCampaigns,
  selectFoundContacts,
} from "./find-records.sql.ts";

interface FoundRecords {
  contacts: FoundContact[];
  campaigns: FoundCampaign[];
}

/** A few people and campaigns by part of their name, in one trip. */
export const findRecords = (ctx: Ctx, term: string): Promise<FoundRecords> =>
  transact(ctx.db, { contacts: selectFoundContacts(ctx, term), campaigns: selectFoundCampaigns(ctx, term) });
