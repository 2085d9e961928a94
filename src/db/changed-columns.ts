import { isSameJson } from "../shared/json.ts";
import { unchecked } from "./rows.ts";

/**
 * The columns of `after` that differ from `before`, or null. An update that sets others too writes their indexes, though nothing
 * in them changes.
 */
export function changedColumns<Row extends object>(before: Row, after: Row): Partial<Row> | null {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => !isSameJson(old.get(name), value));
  return changed.length === 0 ? null : unchecked.parse(Object.fromEntries(changed));
}
