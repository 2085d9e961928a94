import type { FC } from "hono/jsx";
import { eventKinds, reservedTypes } from "../../../features/events/events.types.ts";
import { toLabel } from "../../kit/format.ts";
import { ChangeByOthers } from "../../kit/forms/changes.tsx";
import { chosenValues, useFormState } from "../../kit/forms/forms.ts";

const FIELD = "types";

/** `message` → `Messages`, `canned_reply` → `Canned replies` */
const groupLabel = (object: string): string =>
  object === "api_key" ? "API keys" : `${toLabel(object)}s`.replace(/ys$/, "ies");

/** Ticked patterns, without those included in another one. */
export const withoutIncluded = (ticked: string[]): string[] =>
  ticked.includes("*")
    ? ["*"]
    : ticked.filter((each) => each.endsWith(".*") || !ticked.includes(each.replace(/\..*$/, ".*")));

const Box: FC<{ pattern: string; label: string; chosen: ReadonlySet<string> }> = ({ pattern, label, chosen }) => (
  <label class="choice">
    <input type="checkbox" name={FIELD} value={pattern} checked={chosen.has(pattern)} />
    <span>{label}</span>
  </label>
);

/** The stylesheet hides types below a ticked "all of". Reserved types show only if selected. */
export const TypeTree: FC<{ types: readonly string[] }> = ({ types }) => {
  const state = useFormState();
  const chosen = new Set(chosenValues(FIELD, state, types));
  const fault = state.faults.find(({ path }) => path === FIELD || path.startsWith(`${FIELD}.`));
  return (
    <fieldset class="field type-tree">
      <legend>Events</legend>
      <input type="hidden" name={FIELD} value="" />
      <p class="help">“All” includes event types added later.</p>
      <Box pattern="*" label="All events" chosen={chosen} />
      <div class="type-groups">
        {Object.entries(eventKinds).map(([object, { types: verbs }]) => (
          <fieldset>
            <legend>{groupLabel(object)}</legend>
            <Box
              pattern={`${object}.*`}
              label={`All of ${groupLabel(object).replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase())}`}
              chosen={chosen}
            />
            <div class="types">
              {Object.keys(verbs)
                .map((verb) => ({ type: `${object}.${verb}`, label: toLabel(verb) }))
                .filter(({ type }) => chosen.has(type) || !reservedTypes.includes(type))
                .map(({ type, label }) => (
                  <Box pattern={type} label={label} chosen={chosen} />
                ))}
            </div>
          </fieldset>
        ))}
      </div>
      <ChangeByOthers name={FIELD} now={types} />
      {fault !== undefined && <p class="fault">{fault.message}</p>}
    </fieldset>
  );
};
