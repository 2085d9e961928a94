import { sql } from "drizzle-orm";
import { columns, insertSelect } from "../../../db/columns.ts";
import { marketingChoices } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import {
  insertSuppressions,
  suppressionKeysBySeq,
  suppressionKeysBySeqs,
  deleteSuppressions,
  optOutKeyOfUserId,
} from "./opt-outs.sql.ts";
import { contactSeqByPerson, type PersonIdentifiers, currentContactSeqs } from "../identity/identify-people.sql.ts";

const m = columns(marketingChoices, "m");
const choice = columns(marketingChoices);
const excluded = columns(marketingChoices, "excluded");

const OPT_OUTS = "marketing_suppressions";

/** The opt-out keys of contacts, or of the contacts into which they were merged. */
export const optOutKeysOfContacts = (seqs: number[]): SQL => suppressionKeysBySeqs(currentContactSeqs(seqs));

/** The opt-out keys of a person named by a provider, who may not be a contact yet. */
export const optOutKeysOfPerson = (ctx: Ctx, connectionId: string, person: PersonIdentifiers, at: number): SQL => {
  const { phone, userIds } = person;
  const own = [
    ...(phone === null ? [] : [sql`SELECT ${phoneKey(phone)}`]),
    ...userIds.map((id) => sql`SELECT ${optOutKeyOfUserId(connectionId, id)}`),
  ];
  const contactKeys = sql`SELECT key FROM (${suppressionKeysBySeq(contactSeqByPerson(ctx, connectionId, person, at))})`;
  return sql.join([contactKeys, ...own], sql` UNION `);
};

export interface MarketingChoice {
  marketing: "stop" | "resume";
  /** ms since the epoch. */
  at: number;
}

/** True in SQL unless a choice under `keys` is as recent or newer, which makes this one a repeat or late. */
const isNewestChoice = (ctx: Ctx, keys: SQL, at: number): SQL => sql`NOT EXISTS (
  SELECT 1 FROM (${keys}) k CROSS JOIN marketing_choices m ON ${m.workspaceId} = ${ctx.workspace.id} AND ${m.key} = k.key AND ${m.chosenAt} >= ${at})`;

/** Stores whether people want marketing, under the opt-out keys that `keys` selects, if `condition` holds. */
export const storeMarketingChoice = (
  ctx: Ctx,
  keys: SQL,
  { marketing, at }: MarketingChoice,
  condition = sql`TRUE`,
): SQL[] => {
  const isNewest = sql`${condition} AND ${isNewestChoice(ctx, keys, at)}`;
  return [
    marketing === "stop"
      ? insertSuppressions(ctx, keys, at, isNewest, OPT_OUTS)
      : deleteSuppressions(ctx, keys, isNewest, { at, list: OPT_OUTS }),
    insertSelect(
      marketingChoices,
      { workspaceId: ctx.workspace.id, key: sql`key`, chosenAt: at },
      sql`FROM (${keys}) WHERE ${condition}
      ON CONFLICT (${choice.workspaceId}, ${choice.key}) DO UPDATE SET ${choice.chosenAt} = ${excluded.chosenAt}
      WHERE ${excluded.chosenAt} > ${choice.chosenAt}`,
    ),
  ];
};
