import { createContext, type FC, useContext } from "hono/jsx";
import { type SentValues, useFormState } from "./forms.ts";
import { BEFORE_PREFIX, changeByOthers, USE_STORED_FIELD } from "./saving.ts";

interface Stored {
  /** The stored values. A field without an explicit value shows its stored value. */
  values: SentValues;
  /** True if `Form` renders the hidden fields with the original values, so that the fields do not. */
  isWhole: boolean;
}

/** Null if the form saves without a check for changes by other users. */
const storedContext = createContext<Stored | null>(null);
export const StoredProvider = storedContext.Provider;

const quoted = (values: readonly string[], show: (value: string) => string): string => {
  const texts = values.filter((value) => value !== "").map(show);
  return texts.length === 0 ? "" : `“${texts.join(", ")}”`;
};

export const Before: FC<{ name: string; now: readonly string[] }> = ({ name, now }) => (
  <>
    {["", ...now].map((value) => (
      <input type="hidden" name={`${BEFORE_PREFIX}${name}`} value={value} />
    ))}
  </>
);

interface FieldBefore {
  name: string;
  now: readonly string[];
}

/**
 * Submits the original value of a field in a hidden field, so that the server can find out whether another user
 * has changed it since.
 */
export const ValuesBefore: FC<FieldBefore> = ({ name, now }) => {
  const stored = useContext(storedContext);
  const state = useFormState();
  if (stored === null || stored.isWhole) return null;
  return <Before name={name} now={state.origin?.before.get(name) ?? stored.values.get(name) ?? now} />;
};

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
              <input type="checkbox" name={USE_STORED_FIELD} value={name} /> Use their value
            </label>
          )}
        </div>
      )}
    </>
  );
};
