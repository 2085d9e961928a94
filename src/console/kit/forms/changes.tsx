// Fields that somebody else has changed while the form was filled in, and the choice between their value and one's own.
import { createContext, type FC, useContext } from "hono/jsx";
import { type SentValues, useFormState } from "./forms.ts";
import { BEFORE_PREFIX, changeByOthers, THEIRS_FIELD } from "./saving.ts";

interface Stored {
  /** The stored values of the record that the form around changes, for fields that are not given theirs. */
  values: SentValues;
  /** True where the form itself sends all of them along, also of fields that it does not show now. */
  isWhole: boolean;
}

/** Null in a form that does not check for changes by others. */
const storedContext = createContext<Stored | null>(null);
export const StoredProvider = storedContext.Provider;

const quoted = (values: readonly string[], show: (value: string) => string): string => {
  const shown = values.filter((value) => value !== "").map(show);
  return shown.length === 0 ? "" : `“${shown.join(", ")}”`;
};

/** Hidden fields with the values that a field has `now`. */
export const Before: FC<{ name: string; now: readonly string[] }> = ({ name, now }) => (
  <>
    {["", ...now].map((value) => (
      <input type="hidden" name={`${BEFORE_PREFIX}${name}`} value={value} />
    ))}
  </>
);

interface FieldBefore {
  name: string;
  /** The values that the field has now. */
  now: readonly string[];
}

/** Sends along the values that a field had when its form was made, so that a save finds out who has changed what. */
export const ValuesBefore: FC<FieldBefore> = ({ name, now }) => {
  const stored = useContext(storedContext);
  const state = useFormState();
  if (stored === null || stored.isWhole) return null;
  return <Before name={name} now={state.origin?.before.get(name) ?? stored.values.get(name) ?? now} />;
};

/** Beside a field: somebody else's change of it, if any, and the values that it had when its form was made. */
export const ChangeByOthers: FC<FieldBefore & { show?: ((value: string) => string) | undefined }> = ({
  show = (value) => value,
  ...field
}) => {
  const { name } = field;
  const state = useFormState();
  const stored = useContext(storedContext);
  if (stored === null) return null;
  const now = stored.values.get(name) ?? field.now;
  const change = state.conflict === null ? null : changeByOthers(state.conflict, name, now);
  const [is, was] = [quoted(now, show), quoted(state.conflict?.before.get(name) ?? [], show)];
  return (
    <>
      <ValuesBefore {...field} />
      {change !== null && (
        <div class="changed-meanwhile" role="note">
          <p>
            {is === "" ? "Cleared by someone else" : `Changed by someone else to ${is}`}
            {!change.isYours && was !== "" && `; previously ${was}`}.
          </p>
          {change.isYours && (
            <label>
              <input type="checkbox" name={THEIRS_FIELD} value={name} /> Use their value
            </label>
          )}
        </div>
      )}
    </>
  );
};
