import { AppError } from "./errors.ts";
import { isSameJson } from "./json.ts";

const MESSAGE = "Somebody else changed this. Read it again, then repeat your change.";

/** Returns `precondition_failed` if the record has none of the expected revisions. Null expects any. */
export const findRevisionConflict = (revision: number, expected: readonly number[] | null): AppError | null =>
  expected === null || expected.includes(revision) ? null : new AppError("precondition_failed", MESSAGE, { revision });

/**
 * Returns `precondition_failed` if a field has neither the value that the form was rendered with nor the submitted one: somebody else
 * has changed it.
 */
export function findFormConflict(record: object, submitted: object, rendered: object): AppError | null {
  const [stored, wanted] = [new Map(Object.entries(record)), new Map(Object.entries(submitted))];
  const isChanged = Object.entries(rendered).some(
    ([name, before]) =>
      before !== undefined &&
      wanted.get(name) !== undefined &&
      !isSameJson(stored.get(name), before) &&
      !isSameJson(stored.get(name), wanted.get(name)),
  );
  return isChanged ? new AppError("precondition_failed", MESSAGE) : null;
}
