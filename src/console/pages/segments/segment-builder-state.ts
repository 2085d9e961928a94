import { type FieldKind, type FilterOp, opsByKind } from "../../../features/segments/segments.fields.ts";
import { listsValues } from "../../../features/segments/segments.reading.ts";
import type { ConditionView, FilterView, KnownFields } from "./segment-fields.tsx";
import { formatValue } from "../../kit/format.ts";
import type { SentValues } from "../../kit/forms/forms.ts";
import { hasOwn } from "../../../shared/security/own.ts";

export interface ConditionRow {
  field: string;
  op: string;
  values: string[];
}

export interface ConditionGroup {
  match: "all" | "any";
  rows: ConditionRow[];
}

export interface BuilderState {
  name: string;
  match: "all" | "any";
  entries: (ConditionRow | ConditionGroup)[];
}

export const CONDITIONS_PREFIX = "filter.conditions";

const blankRow = (): ConditionRow => ({ field: "tags", op: "has_any", values: [] });

export const emptyBuilder = (): BuilderState => ({ name: "", match: "all", entries: [blankRow()] });

export const isGroup = (entry: ConditionRow | ConditionGroup): entry is ConditionGroup => hasOwn(entry, "rows");

const readMatch = (values: SentValues, name: string) => (values.get(name)?.[0] === "any" ? "any" : "all");

function* readWhilePresent<T>(read: (index: number) => T | undefined): Generator<T> {
  for (let index = 0; ; index++) {
    const item = read(index);
    if (item === undefined) return;
    yield item;
  }
}

function readRow(values: SentValues, path: string): ConditionRow | undefined {
  const field = values.get(`${path}.field`)?.[0];
  if (field === undefined) return undefined;
  return { field, op: values.get(`${path}.op`)?.[0] ?? "", values: [...(values.get(`${path}.value`) ?? [])] };
}

function readEntry(values: SentValues, path: string): ConditionRow | ConditionGroup | undefined {
  if (!values.has(`${path}.match`)) return readRow(values, path);
  const rows = [...readWhilePresent((index) => readRow(values, `${path}.conditions.${index}`))];
  return { match: readMatch(values, `${path}.match`), rows };
}

export const readBuilder = (values: SentValues): BuilderState => ({
  name: values.get("name")?.[0] ?? "",
  match: readMatch(values, "filter.match"),
  entries: [...readWhilePresent((index) => readEntry(values, `${CONDITIONS_PREFIX}.${index}`))],
});

const toRow = ({ field, op, value }: ConditionView): ConditionRow => ({
  field,
  op,
  values: Array.isArray(value)
    ? value.map(formatValue)
    : value === null || value === undefined
      ? []
      : [formatValue(value)],
});

export const builderFor = (name: string, { match, conditions }: FilterView): BuilderState => ({
  name,
  match,
  entries: conditions.map((entry) =>
    hasOwn(entry, "conditions") ? { match: entry.match, rows: entry.conditions.map(toRow) } : toRow(entry),
  ),
});

/**
 * Changes the draft as the pressed button says: `add:2` adds a condition to group 2, and `remove:2.0` removes
 * the first condition of group 2.
 */
export function applyAction(draft: BuilderState, action: string): BuilderState {
  const [verb = "", position = ""] = action.split(":");
  const [at, inner] = position.split(".").map(Number);
  const { entries } = draft;
  const entry = at === undefined ? undefined : entries[at];
  const put = (next: (ConditionRow | ConditionGroup)[]): BuilderState => ({
    ...draft,
    entries: next.length === 0 ? [blankRow()] : next,
  });
  if (verb === "add" && position === "") return put([...entries, blankRow()]);
  if (verb === "add-group")
    return put([...entries, { match: draft.match === "all" ? "any" : "all", rows: [blankRow(), blankRow()] }]);
  if (entry === undefined || at === undefined) return draft;
  if (verb === "add" && isGroup(entry)) return put(entries.with(at, { ...entry, rows: [...entry.rows, blankRow()] }));
  if (verb !== "remove") return draft;
  const rows = isGroup(entry) && inner !== undefined ? entry.rows.filter((_, index) => index !== inner) : [];
  return put(
    isGroup(entry) && rows.length > 0
      ? entries.with(at, { ...entry, rows })
      : entries.filter((_, index) => index !== at),
  );
}

export function positionToFocus({ entries }: BuilderState, action: string): string | null {
  const [verb = "", position = ""] = action.split(":");
  const [at = entries.length - 1, inner] = position === "" ? [] : position.split(".").map(Number);
  const last = Math.min(at, entries.length - 1);
  const entry = entries[last];
  if (entry === undefined || !["add", "add-group", "remove"].includes(verb)) return null;
  if (!isGroup(entry)) return String(last);
  const end = entry.rows.length - 1;
  return `${last}.${verb === "add" ? end : Math.min(last === at ? (inner ?? 0) : end, end)}`;
}

/** The number that users see: `1` for the first condition, and `2.1` for the first condition in the second group. */
export const conditionNumber = (position: string): string =>
  position
    .split(".")
    .map((at) => Number(at) + 1)
    .join(".");

const PATH = /^filter\.conditions\.(\d+)(?:\.conditions\.(\d+))?/;

export function describeConditionAt({ entries }: BuilderState, path: string, fields: KnownFields): string | null {
  const [, at, inner] = PATH.exec(path) ?? [];
  const entry = at === undefined ? undefined : entries[Number(at)];
  if (at === undefined || entry === undefined) return null;
  const row = isGroup(entry) ? entry.rows[Number(inner)] : entry;
  if (row === undefined) return null;
  const position = inner === undefined ? at : `${at}.${inner}`;
  return `condition ${conditionNumber(position)} (${fields.get(row.field)?.label ?? row.field})`;
}

/** Returns the chosen operator. If the field does not support it, returns the field's first operator. */
export const effectiveOp = (row: ConditionRow, fields: KnownFields): FilterOp => {
  const taken: readonly FilterOp[] = opsByKind[fields.get(row.field)?.kind ?? "text"];
  return taken.find((op) => op === row.op) ?? taken[0] ?? "eq";
};

function parseTyped(kind: FieldKind, text: string): unknown {
  if (kind === "number") return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
  return kind === "boolean" ? text === "true" : text;
}

function buildValue({ values }: ConditionRow, op: FilterOp, kind: FieldKind): { value?: unknown } {
  if (op === "is_set" || op === "is_not_set") return {};
  const given = values.filter((text) => text.trim() !== "");
  if (listsValues(op))
    return {
      value: given
        .flatMap((text) => text.split("\n"))
        .filter((text) => text.trim() !== "")
        .map((text) => parseTyped(kind, text)),
    };
  if (op === "between") return { value: given.map((text) => parseTyped(kind, text)) };
  const [first] = given;
  return first === undefined ? {} : { value: parseTyped(op === "within_days" ? "number" : kind, first) };
}

export function buildFilter({ match, entries }: BuilderState, fields: KnownFields) {
  const condition = (row: ConditionRow) => {
    const op = effectiveOp(row, fields);
    return { field: row.field, op, ...buildValue(row, op, fields.get(row.field)?.kind ?? "text") };
  };
  return {
    match,
    conditions: entries.map((entry) =>
      isGroup(entry) ? { match: entry.match, conditions: entry.rows.map(condition) } : condition(entry),
    ),
  };
}
