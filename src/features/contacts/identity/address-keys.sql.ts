import { sql, type SQL } from "drizzle-orm";
import { IVORIAN_OPERATORS } from "../../../shared/text/phone.ts";

export const isNumber = (address: SQL): SQL => sql`${address} GLOB '+*'`;

const ivorianBranches = IVORIAN_OPERATORS.map(([prefix, first]) => {
  const isOperator = first.map((digits) => `@ GLOB '+225${digits}*'`).join(" OR ");
  return `WHEN length(@) = 12 AND (${isOperator}) THEN '+225${prefix}' || substr(@, 5)`;
});

/**
 * The SQL between the addresses: `phoneKeyOf` joins these parts with the address. They are built only once, because
 * building them for each send took a fifth of the time to build its SQL.
 */
const keyParts = `CASE
  WHEN length(@) = 13 AND (@ GLOB '+55[14689][1-9][6-9]*' OR @ GLOB '+552[12478][6-9]*'
    OR @ GLOB '+553[1-578][6-9]*' OR @ GLOB '+555[1345][6-9]*' OR @ GLOB '+557[134579][6-9]*')
    THEN substr(@, 1, 5) || '9' || substr(@, 6)
  WHEN length(@) = 14 AND @ GLOB '+521[2-9]*' THEN '+52' || substr(@, 5)
  WHEN length(@) = 14 AND (@ GLOB '+54911*' OR @ GLOB '+549[23]*') THEN '+54' || substr(@, 5)
  WHEN length(@) = 12 AND @ GLOB '+229*' THEN '+22901' || substr(@, 5)
  ${ivorianBranches.join("\n  ")}
  ELSE @ END`
  .split("@")
  .map((text) => sql.raw(text));

/**
 * `phoneKey` of an E.164 number, in SQL. Some rules need several patterns, because D1 limits a GLOB pattern to 50
 * bytes. `ARGENTINIAN_15` has no rule here, because stored addresses do not contain that form.
 */
export const phoneKeyOf = (address: SQL): SQL => sql.join(keyParts, address);

/** Returns the phone key of a phone number, and `provider:address` for any other address. */
export const optOutKeyOfAddress = (address: SQL, provider: SQL): SQL =>
  sql`iif(${isNumber(address)}, ${phoneKeyOf(address)}, ${provider} || ':' || ${address})`;
