import { changedFieldsOf } from "../shared/json.ts";
import { unchecked } from "./rows.ts";

/**
 * The columns of `after` that differ from `before`, or null. An update that sets others too writes their indexes, though nothing
 * in them changes.
 */
export function changedColumns<Row extends object>(before: Row, after: Row): Partial<Row> | null {
  const changed = changedFieldsOf(before, after).map(([name, , value]) => [name, value]);
  return changed.length === 0 ? null : unchecked.parse(Object.fromEntries(changed));
}
