// Fields that somebody else has changed while the form was filled in, and the choice between their value and one's own.
import { createContext, type FC, useContext } from "hono/jsx";
import type { FormState } from "./forms.ts";
import { BEFORE_PREFIX, changeByOthers, THEIRS_FIELD } from "./saving.ts";

/** Whether the form around says which revision it was made from. */
const revisionContext = createContext(false);
export const RevisionProvider = revisionContext.Provider;

const quoted = (values: readonly string[], show: (value: string) => string): string => {
  const shown = values.filter((value) => value !== "").map(show);
  return shown.length === 0 ? "" : `“${shown.join(", ")}”`;
};

/**
 * Beside a field of a form that changes a record, with the values that the field has `now`. They are sent along, so that the next
 * save can tell who has changed what.
 */
export const ChangeByOthers: FC<{
  name: string;
  state: FormState;
  now: readonly string[];
  show?: ((value: string) => string) | undefined;
}> = ({ name, state, now, show = (value) => value }) => {
  if (!useContext(revisionContext)) return null;
  const change = state.conflict === null ? null : changeByOthers(state.conflict, name, now);
  const [is, was] = [quoted(now, show), quoted(state.conflict?.before.get(name) ?? [], show)];
  return (
    <>
      {["", ...now].map((value) => (
        <input type="hidden" name={`${BEFORE_PREFIX}${name}`} value={value} />
      ))}
      {change !== null && (
        <div class="changed-meanwhile" role="note">
          <p>
            {is === "" ? "Somebody else cleared this" : `Somebody else changed this to ${is}`}
            {!change.isYours && was !== "" && `; it was ${was}`}.
          </p>
          {change.isYours && (
            <label>
              <input type="checkbox" name={THEIRS_FIELD} value={name} /> Use theirs instead of mine
            </label>
          )}
        </div>
      )}
    </>
  );
};
