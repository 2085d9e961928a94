import type { FormState, SentValues } from "../../../kit/forms/forms.ts";
import { changeByOthers } from "../../../kit/forms/saving.ts";

const ROW = /^(?:buttons|cards)\.\d\./;

const CHANGED_ROW_REMOVED = "They also changed a button or card that you removed.";

const isRowOf = (values: SentValues, row: string): boolean => [...values.keys()].some((name) => name.startsWith(row));

const rowOf = (name: string): string => ROW.exec(name)?.[0] ?? "";

/**
 * Three-way merge: fields that this user changed keep the submitted value; all others take the stored one. A row
 * deleted by another user stays if this user changed part of it.
 */
export function mergeChanges(state: FormState, stored: SentValues): FormState {
  if (state.conflict === null) return state;
  const { before: made, own: changed } = state.conflict;
  const added = [...stored.keys()].filter((name) => !made.has(name));
  const isTyped = (name: string) => (state.values.get(name) ?? []).some((text) => text !== "");
  const own = new Set([...changed, ...added.filter(isTyped)]);
  const sent = [...state.values].filter(([name]) => own.has(name) || !stored.has(name));
  const rows = new Set(sent.map(([name]) => rowOf(name)).filter((row) => row !== "" && !isRowOf(stored, row)));
  const values = new Map([
    ...[...made].filter(([name]) => rows.has(rowOf(name)) && !own.has(name)),
    ...[...stored].filter(([name]) => !own.has(name)),
    ...sent,
  ]);
  const conflict = { before: new Map([...made, ...added.map((name) => [name, []] as const)]), own };
  const isChangedInVain = [...own].some(
    (name) => ROW.test(name) && !values.has(name) && changeByOthers(conflict, name, stored.get(name) ?? []) !== null,
  );
  const banner = isChangedInVain ? `${state.banner} ${CHANGED_ROW_REMOVED}` : state.banner;
  return { ...state, values, conflict, banner };
}
