import { changedFieldsOf } from "../shared/text/json.ts";
import { unchecked } from "./rows.ts";

/**
 * The columns in which `after` differs from `before`, or null. Updating unchanged columns would rewrite their indexes.
 */
export function changedColumns<Row extends object>(before: Row, after: Row): Partial<Row> | null {
  const changed = changedFieldsOf(before, after).map(([name, , value]) => [name, value]);
  return changed.length === 0 ? null : unchecked.parse(Object.fromEntries(changed));
}
