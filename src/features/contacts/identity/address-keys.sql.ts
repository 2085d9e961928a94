import { sql, type SQL } from "drizzle-orm";
import { IVORIAN_OPERATORS } from "../../../shared/text/phone.ts";

export const isNumber = (address: SQL): SQL => sql`${address} GLOB '+*'`;

const ivorianBranches = (address: SQL): SQL =>
  sql.join(
    IVORIAN_OPERATORS.map(([prefix, first]) => {
      const isOperator = first.map((digits) => sql`${address} GLOB ${sql.raw(`'+225${digits}*'`)}`);
      return sql`WHEN length(${address}) = 12 AND (${sql.join(isOperator, sql` OR `)})
        THEN ${sql.raw(`'+225${prefix}'`)} || substr(${address}, 5)`;
    }),
    sql` `,
  );

/**
 * The same as `phoneKey` for an E.164 number, in SQL. There is no rule for the Argentinian 15, because stored addresses
 * never contain it; D1 limits a GLOB pattern to 50 bytes.
 */
export const phoneKeyOf = (address: SQL): SQL => sql`CASE
  WHEN length(${address}) = 13 AND (${address} GLOB '+55[14689][1-9][6-9]*' OR ${address} GLOB '+552[12478][6-9]*'
    OR ${address} GLOB '+553[1-578][6-9]*' OR ${address} GLOB '+555[1345][6-9]*' OR ${address} GLOB '+557[134579][6-9]*')
    THEN substr(${address}, 1, 5) || '9' || substr(${address}, 6)
  WHEN length(${address}) = 14 AND ${address} GLOB '+521[2-9]*' THEN '+52' || substr(${address}, 5)
  WHEN length(${address}) = 14 AND (${address} GLOB '+54911*' OR ${address} GLOB '+549[23]*') THEN '+54' || substr(${address}, 5)
  WHEN length(${address}) = 12 AND ${address} GLOB '+229*' THEN '+22901' || substr(${address}, 5)
  ${ivorianBranches(address)}
  ELSE ${address} END`;

/** For a phone number, the key of the number. For any other address, the provider and the provider's id. */
export const optOutKeyOfAddress = (address: SQL, provider: SQL): SQL =>
  sql`iif(${isNumber(address)}, ${phoneKeyOf(address)}, ${provider} || ':' || ${address})`;
