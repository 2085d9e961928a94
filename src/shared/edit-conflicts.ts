import { AppError } from "./errors.ts";
import { isSameJson } from "./text/json.ts";

const MESSAGE = "Somebody else changed this since you read it. Read it again, then repeat your change.";

export const revisionConflict = (revision: number): AppError =>
  new AppError("precondition_failed", MESSAGE, { revision });

export const findRevisionConflict = (revision: number, expected: readonly number[] | null): AppError | null =>
  expected === null || expected.includes(revision) ? null : revisionConflict(revision);

/**
 * Returns an error if another user has changed a submitted field since the form was rendered, because saving the
 * form would overwrite that change. There is no conflict if both chose the same value.
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

/** Returns the row with the new values and the next revision, or `row` itself if no value changes. */
export function revise<Row extends { revision: number; updated_at: number }>(
  row: Row,
  values: { [Name in keyof Row]?: Row[Name] | undefined },
  now: number,
): Row {
  const sent = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const changed = { ...row, ...sent };
  return isSameJson(row, changed) ? row : { ...changed, updated_at: now, revision: row.revision + 1 };
}
