// Raw SQL, because each write selects its keys and compares the stored times.
import { sql, type SQL } from "drizzle-orm";
import { columns, insertSelect } from "../../../db/columns.ts";
import { contacts, marketingChoices, optIns as optInTable, suppressions } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { lastOptOutLiftedBy, OPT_IN_TOLERANCE_MS } from "./latest-choice.ts";
import {
  deleteSuppressions,
  insertSuppressions,
  optedOutAt,
  suppressionKeysBySeq,
  suppressionKeysBySeqs,
  optOutKeyOfUserId,
} from "./opt-outs.sql.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { contactSeqByPerson, type PersonIdentifiers, currentContactSeqs } from "../identity/identify-people.sql.ts";

const c = columns(contacts, "c");
const o = columns(optInTable, "o");
const s = columns(suppressions, "s");
const optIn = columns(optInTable);
const optOut = columns(suppressions);
const excluded = columns(optInTable, "excluded");

const OPT_IN_TABLES = [
  {
    optOuts: sql`suppressions`,
    optIns: sql`opt_ins`,
    optedInAt: o.optedInAt,
    toleranceMs: OPT_IN_TOLERANCE_MS.suppressions,
  },
  {
    optOuts: sql`marketing_suppressions`,
    optIns: sql`marketing_choices`,
    optedInAt: columns(marketingChoices, "o").chosenAt,
    toleranceMs: OPT_IN_TOLERANCE_MS.marketing_suppressions,
  },
];

/**
 * Deletes the opt-outs of `keys` and of the contact `seq` if a later opt-in is stored. Ignores opt-ins before `since`,
 * because a key might have belonged to another person then.
 */
export const deleteOutdatedOptOuts = (
  ctx: Ctx,
  { keys, seq, since }: { keys: SQL; seq: SQL; since: number },
  condition: SQL,
): SQL[] =>
  OPT_IN_TABLES.flatMap(({ optOuts, optIns, optedInAt, toleranceMs }) => {
    const latestOptIn = sql`SELECT max(${optedInAt}) FROM ${optIns} o WHERE ${o.workspaceId} = ${ctx.workspace.id} AND ${optedInAt} >= ${since}`;
    const contactKeys = suppressionKeysBySeq(seq);
    return [
      sql`
        DELETE FROM ${optOuts} AS s WHERE ${optOut.workspaceId} = ${ctx.workspace.id} AND ${optOut.key} IN (${keys}) AND ${condition}
        AND ${optOut.optedOutAt} <= (${latestOptIn} AND ${o.key} = ${s.key}) + ${toleranceMs}`,
      sql`
        DELETE FROM ${optOuts} AS s WHERE ${optOut.workspaceId} = ${ctx.workspace.id} AND ${optOut.key} IN (${contactKeys}) AND ${condition}
        AND ${optOut.optedOutAt} <= (${latestOptIn} AND ${o.key} IN (${contactKeys})) + ${toleranceMs}`,
    ];
  });

/** Stores the opt-out of a STOP, unless the person has sent START after `at`. */
export const storeStop = (ctx: Ctx, { keys, seq, at }: { keys: SQL; seq: SQL; at: number }, condition: SQL): SQL[] => [
  insertSuppressions(ctx, keys, at, condition),
  ...deleteOutdatedOptOuts(ctx, { keys, seq, since: at }, condition),
];

/** Also stores the time of START, so that a STOP from before `at` that arrives later has no effect. */
export const storeStart = (ctx: Ctx, keys: SQL, at: number, condition: SQL): SQL[] => [
  deleteSuppressions(ctx, keys, condition, { at: lastOptOutLiftedBy(at, "suppressions") }),
  sql`
    INSERT INTO opt_ins (${optIn.workspaceId}, ${optIn.key}, ${optIn.optedInAt})
    SELECT DISTINCT ${ctx.workspace.id}, key, ${at} FROM (${keys}) WHERE ${condition}
    ON CONFLICT (${optIn.workspaceId}, ${optIn.key}) DO UPDATE SET ${optIn.optedInAt} = ${excluded.optedInAt}
    WHERE ${excluded.optedInAt} > ${optIn.optedInAt}`,
];

/** False if contact `c` opted out or sent START in this time range. */
export function hasSameConsent(ctx: Ctx, from: SQL, to: SQL): SQL {
  const optedIn = sql`(SELECT ${optIn.optedInAt} FROM opt_ins WHERE ${optIn.workspaceId} = ${ctx.workspace.id} AND ${optIn.key} = ${c.id})`;
  return sql`(coalesce(${optedOutAt(ctx, c.id, c.phoneKey)}, 0) NOT BETWEEN ${from} AND ${to}
    AND coalesce(${optedIn}, 0) NOT BETWEEN ${from} + 1 AND ${to})`;
}

const m = columns(marketingChoices, "m");
const choice = columns(marketingChoices);
const excludedChoice = columns(marketingChoices, "excluded");

const OPT_OUTS = "marketing_suppressions";

export const optOutKeysOfContacts = (seqs: number[]): SQL => suppressionKeysBySeqs(currentContactSeqs(seqs));

export const optOutKeysOfPerson = (ctx: Ctx, connectionId: string, person: PersonIdentifiers, at: number): SQL => {
  const { phone, userIds } = person;
  const own = [
    ...(phone === null ? [] : [sql`SELECT ${phoneKey(phone)}`]),
    ...userIds.map((id) => sql`SELECT ${optOutKeyOfUserId(connectionId, id)}`),
  ];
  const contactKeys = sql`SELECT key FROM (${suppressionKeysBySeq(contactSeqByPerson(ctx, connectionId, person, at))})`;
  return sql.join([contactKeys, ...own], sql` UNION `);
};

interface MarketingChoice {
  marketing: "stop" | "resume";
  at: number;
}

const isNewestChoice = (ctx: Ctx, keys: SQL, at: number): SQL => sql`NOT EXISTS (
  SELECT 1 FROM (${keys}) k CROSS JOIN marketing_choices m ON ${m.workspaceId} = ${ctx.workspace.id} AND ${m.key} = k.key AND ${m.chosenAt} >= ${at})`;

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
      ON CONFLICT (${choice.workspaceId}, ${choice.key}) DO UPDATE SET ${choice.chosenAt} = ${excludedChoice.chosenAt}
      WHERE ${excludedChoice.chosenAt} > ${choice.chosenAt}`,
    ),
  ];
};
