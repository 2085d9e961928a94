// This is raw SQL because a filter chooses the fields. All its values are bound parameters.
import { sql, type SQL } from "drizzle-orm";
import { contacts, conversations, marketingSuppressions, suppressions, tags } from "../../db/schema/index.ts";
import { columns } from "../../db/columns.ts";
import { phoneKey } from "../../shared/text/phone.ts";
import { type ContactField, contactFields, isContactField } from "../contacts/contact-fields.schemas.ts";
import { fieldColumn } from "../contacts/contacts.sql.ts";
import type { FieldDefinition } from "../custom-fields/custom-fields.values.ts";
import { fold } from "../../shared/text/folding.ts";
import {
  isOwnField,
  type FieldKind,
  customFieldKind,
  lastDays,
  type OwnField,
  ownFields,
  type FilterScalar,
  timeSpan,
} from "./segments.fields.ts";
import { conditionValues, type StoredCondition, type StoredFilter } from "./segments.stored.ts";
import { hasOwn } from "../../shared/security/own.ts";

const c = columns(contacts, "c");
const t = columns(tags, "t");
const v = columns(conversations, "v");
const optOut = columns(suppressions);

interface Subject {
  kind: FieldKind;
  /** The value, or NULL if there is none. For a list field, a table with one entry per row, in the column `value`. */
  plain: SQL;
  /** The value that conditions compare: folded text, or a phone key. */
  compared: SQL;
  moment(at: number): FilterScalar;
  removed: readonly string[];
}

const asNumber = (at: number) => at;
const asTime = (at: number) => new Date(at).toISOString();
const asDate = (at: number) => asTime(at).slice(0, 10);

function contactColumn(name: ContactField): { plain: SQL; compared: SQL } {
  const { kind, folded } = contactFields[name];
  const plain = fieldColumn("c", name);
  if (kind === "phone") return { plain, compared: sql.raw(`c.${name}_key`) };
  return { plain, compared: folded === null ? plain : sql`${c.folded} ->> ${sql.raw(`'$.${name}'`)}` };
}

const isListed = (table: typeof suppressions | typeof marketingSuppressions): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${optOut.workspaceId} = ${c.workspaceId} AND ${optOut.key} IN (${c.id}, ${c.phoneKey}))`;

const otherColumns: Record<Exclude<OwnField, ContactField>, SQL> = {
  id: c.id,
  is_unsubscribed: isListed(suppressions),
  marketing_opt_out: isListed(marketingSuppressions),
  tags: sql`json_each(${c.tags})`,
  created_at: c.createdAt,
  updated_at: c.updatedAt,
  last_inbound_at: sql`(SELECT max(${v.lastInboundAt}) FROM conversations v WHERE ${v.contactSeq} = ${c.seq})`,
};

function ownSubject(name: OwnField): Subject {
  const { plain, compared } = isContactField(name)
    ? contactColumn(name)
    : { plain: otherColumns[name], compared: otherColumns[name] };
  return { kind: ownFields[name].kind, plain, compared, moment: asNumber, removed: [] };
}

function customSubject(field: FieldDefinition): Subject {
  const kind = customFieldKind(field);
  const path = `$."${field.number}"`;
  const plain =
    kind === "multi_choice" ? sql`json_each(${c.customFields}, ${path})` : sql`${c.customFields} ->> ${path}`;
  const compared = kind === "text" ? sql`${c.folded} ->> ${`$.f${field.number}`}` : plain;
  return { kind, plain, compared, moment: kind === "date" ? asDate : asTime, removed: field.removed };
}

function conditionSubject({ field }: StoredCondition, fields: readonly FieldDefinition[]): Subject {
  if (typeof field === "string" && isOwnField(field)) return ownSubject(field);
  const custom = fields.find(({ number }) => number === field);
  // Throws, because the audience would have more contacts without this condition.
  if (custom === undefined) throw new Error(`A filter has a condition on the field ${field}, which was deleted.`);
  return customSubject(custom);
}

function comparable({ kind }: Subject, isOwn: boolean, value: FilterScalar): FilterScalar {
  if (kind === "text") return fold(String(value));
  if (kind === "phone" && isOwn) return phoneKey(String(value));
  return typeof value === "boolean" ? Number(value) : value;
}

const among = (values: readonly FilterScalar[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** A date means its whole day, so one value becomes a range. */
function span({ kind, moment }: Subject, value: FilterScalar): readonly [FilterScalar, FilterScalar] {
  if (kind !== "date" && kind !== "datetime") return [value, value];
  const [from, to] = timeSpan(String(value));
  return [moment(from), moment(to)];
}

function isSet({ kind, plain, removed }: Subject): SQL {
  if (kind === "tags")
    return sql`EXISTS (SELECT 1 FROM ${plain} e CROSS JOIN tags t ON ${t.workspaceId} = ${c.workspaceId} AND ${t.number} = e.value AND ${t.deletedAt} IS NULL)`;
  if (kind === "multi_choice") return sql`EXISTS (SELECT 1 FROM ${plain} WHERE value NOT IN ${among(removed)})`;
  return removed.length === 0 ? sql`${plain} IS NOT NULL` : sql`${plain} NOT IN ${among(removed)}`;
}

const onlyDigits = (value: FilterScalar) => String(value).replace(/\D/g, "");

function partPosition({ kind, plain, compared }: Subject, op: "contains" | "starts_with", value: FilterScalar): SQL {
  if (kind !== "phone") return sql`instr(${compared}, ${fold(String(value))})`;
  return sql`instr(${plain}, ${op === "starts_with" ? `+${onlyDigits(value)}` : onlyDigits(value)})`;
}

function positive(subject: Subject, condition: StoredCondition, op: PositiveOp, now: number): SQL {
  const { plain, compared } = subject;
  const values = conditionValues(condition.value).map((value) =>
    comparable(subject, typeof condition.field === "string", value),
  );
  const [first = "", second = ""] = values;
  switch (op) {
    case "is_set":
      return isSet(subject);
    case "eq": {
      const [low, high] = span(subject, first);
      return low === high ? sql`${compared} = ${low}` : sql`${compared} BETWEEN ${low} AND ${high}`;
    }
    case "in":
      return sql`${compared} IN ${among(values)}`;
    case "contains":
      return sql`${partPosition(subject, op, first)} > 0`;
    case "starts_with":
      return sql`${partPosition(subject, op, first)} = 1`;
    case "gt":
      return sql`${plain} > ${span(subject, first)[1]}`;
    case "gte":
      return sql`${plain} >= ${span(subject, first)[0]}`;
    case "lt":
      return sql`${plain} < ${span(subject, first)[0]}`;
    case "lte":
      return sql`${plain} <= ${span(subject, first)[1]}`;
    case "between":
      return sql`${plain} BETWEEN ${span(subject, first)[0]} AND ${span(subject, second)[1]}`;
    case "within_days": {
      const [from, to] = lastDays(Number(first), now);
      return sql`${plain} BETWEEN ${subject.moment(from)} AND ${subject.moment(to)}`;
    }
    case "has_any":
      return sql`EXISTS (SELECT 1 FROM ${plain} WHERE value IN ${among(values)})`;
    case "has_all":
      return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(values)}) w WHERE w.value NOT IN (SELECT value FROM ${plain}))`;
  }
}

const opposites = { ne: "eq", not_in: "in", has_none: "has_any", is_not_set: "is_set" } as const;
type NegativeOp = keyof typeof opposites;
type PositiveOp = Exclude<StoredCondition["op"], NegativeOp>;

const isNegative = (op: StoredCondition["op"]): op is NegativeOp => Object.hasOwn(opposites, op);

/** If a contact has no value, the comparison is NULL. A positive condition is then false, a negative one is true. */
function compileCondition(condition: StoredCondition, fields: readonly FieldDefinition[], now: number): SQL {
  const { op } = condition;
  const subject = conditionSubject(condition, fields);
  return isNegative(op)
    ? sql`(${positive(subject, condition, opposites[op], now)}) IS NOT TRUE`
    : sql`(${positive(subject, condition, op, now)}) IS TRUE`;
}

const combine = (match: "all" | "any", conditions: SQL[]): SQL =>
  sql`(${sql.join(conditions, match === "all" ? sql` AND ` : sql` OR `)})`;

export function compileFilter(
  { match, conditions }: StoredFilter,
  fields: readonly FieldDefinition[],
  now: number,
): SQL {
  const compiled = conditions.map((entry) =>
    hasOwn(entry, "conditions")
      ? combine(
          entry.match,
          entry.conditions.map((inner) => compileCondition(inner, fields, now)),
        )
      : compileCondition(entry, fields, now),
  );
  return combine(match, compiled);
}
