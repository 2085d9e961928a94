// Applies filters as the documentation describes them, without SQL. Tests compare the result with the SQL.
import { fold } from "../../src/shared/text/folding.ts";
import { phoneKey } from "../../src/shared/text/phone.ts";
import {
  modelFields,
  type ModelField,
  type Condition,
  type Filter,
  type Group,
  type Model,
  NOW,
  tags,
  type Value,
} from "./segment-model.ts";

const DAY = 86_400_000;

const span = (value: unknown): [number, number] => {
  const from = Date.parse(String(value));
  return String(value).length === 10 ? [from, from + DAY - 1] : [from, from];
};

function valueIn(model: Model, id: string, name: string): Value {
  if (name === "id") return id;
  if (name === "tags") {
    const held = tags.filter((tag) => model.tags.includes(tag.number) && tag.name !== "gone");
    return held.length === 0 ? null : held.map((tag) => tag.name.toLowerCase());
  }
  if (name === "last_inbound_at") return model.inbound.length === 0 ? null : Math.max(...model.inbound);
  if (!name.startsWith("custom_fields.")) return model.own[name] ?? null;
  const value = model.custom[name.slice("custom_fields.".length)] ?? null;
  if (value === "tin") return null;
  if (!Array.isArray(value)) return value;
  const kept = value.filter((option) => option !== "grey");
  return kept.length === 0 ? null : kept;
}

function same(kind: ModelField["kind"], isOwn: boolean, held: Value, wanted: unknown): boolean {
  if (kind === "text") return fold(String(held)) === fold(String(wanted));
  if (kind === "phone") {
    const phone = `+${String(wanted).replace(/\D/g, "")}`;
    return isOwn ? phoneKey(String(held)) === phoneKey(phone) : held === phone;
  }
  if (kind !== "date" && kind !== "datetime") return held === wanted;
  const [at] = typeof held === "number" ? [held] : span(held);
  const [from, to] = span(wanted);
  return from <= at && at <= to;
}

function comparePosition(kind: ModelField["kind"], held: Value, wanted: unknown): "below" | "within" | "above" {
  const at = kind === "number" || typeof held === "number" ? Number(held) : span(held)[0];
  const [from, to] = kind === "number" ? [Number(wanted), Number(wanted)] : span(wanted);
  return at < from ? "below" : at > to ? "above" : "within";
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const written = (kind: ModelField["kind"], value: unknown) =>
  kind === "phone" ? String(value).replace(/\D/g, "") : fold(String(value));

function holdsOne(model: Model, id: string, { field: name, op, value }: Condition): boolean {
  const about = modelFields[name];
  if (about === undefined) throw new Error(name);
  const held = valueIn(model, id, name);
  const wanted = listOf(value);
  const [first, second] = wanted;
  const { kind } = about;
  const equals = (one: unknown) => held !== null && same(kind, !name.includes("."), held, one);
  const has = (one: unknown) => listOf(held).includes(kind === "tags" ? String(one).toLowerCase() : one);
  const within = (low: unknown, high: unknown) =>
    comparePosition(kind, held, low) !== "below" && comparePosition(kind, held, high) !== "above";
  switch (op) {
    case "is_set":
      return held !== null;
    case "is_not_set":
      return held === null;
    case "eq":
      return equals(first);
    case "ne":
      return !equals(first);
    case "in":
      return wanted.some(equals);
    case "not_in":
      return !wanted.some(equals);
    case "has_any":
      return wanted.some(has);
    case "has_all":
      return wanted.every(has);
    case "has_none":
      return !wanted.some(has);
    case "contains":
      return held !== null && written(kind, held).includes(written(kind, first));
    case "starts_with":
      return held !== null && written(kind, held).startsWith(written(kind, first));
    case "gt":
      return held !== null && comparePosition(kind, held, first) === "above";
    case "gte":
      return held !== null && comparePosition(kind, held, first) !== "below";
    case "lt":
      return held !== null && comparePosition(kind, held, first) === "below";
    case "lte":
      return held !== null && comparePosition(kind, held, first) !== "above";
    case "between":
      return held !== null && within(first, second);
    case "within_days": {
      const [from, to] = [NOW - Number(first) * DAY, NOW].map((at) => new Date(at).toISOString());
      return held !== null && (kind === "date" ? within(from?.slice(0, 10), to?.slice(0, 10)) : within(from, to));
    }
  }
}

export function holds(model: Model, id: string, { match: how, conditions }: Filter): boolean {
  const each = (entry: Condition | Group) =>
    "conditions" in entry
      ? entry.match === "all"
        ? entry.conditions.every((inner) => holdsOne(model, id, inner))
        : entry.conditions.some((inner) => holdsOne(model, id, inner))
      : holdsOne(model, id, entry);
  return how === "all" ? conditions.every(each) : conditions.some(each);
}
