import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fold } from "../../shared/text/folding.ts";
import {
  type FoundCampaign,
  type FoundContact,
  MAX_FOUND,
  selectFoundContacts,
  selectLatestCampaigns,
} from "./find-records.sql.ts";

interface FoundRecords {
  contacts: FoundContact[];
  campaigns: FoundCampaign[];
}

/** A few people and campaigns whose name contains a term, in one round trip. */
export async function findRecords(ctx: Ctx, term: string): Promise<FoundRecords> {
  const { contacts, campaigns } = await transact(ctx.db, {
    contacts: selectFoundContacts(ctx, term),
    campaigns: selectLatestCampaigns(ctx),
  });
  const sought = fold(term);
  const found = sought === "" ? [] : campaigns.filter(({ name }) => fold(name).includes(sought));
  return { contacts, campaigns: found.slice(0, MAX_FOUND) };
}
