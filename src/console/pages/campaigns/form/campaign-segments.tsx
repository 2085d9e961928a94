// The segment field. Broken segments match no contacts, so they are disabled.
import type { FC } from "hono/jsx";
import { presentSegment, type SegmentRecord } from "../../../../features/segments/segments.schemas.ts";
import { SelectField } from "../../../kit/forms/form-fields.tsx";
import { type FormState, FormStateProvider, useFormState } from "../../../kit/forms/forms.ts";
import { useWorkspaceRequest } from "../../../kit/request.ts";

const FIELD = "segment_id";
/** How many broken segments show their reasons. */
const EXPLAINED = 5;

type Segment = ReturnType<typeof presentSegment>;

const Broken: FC<{ segments: readonly Segment[] }> = ({ segments }) => {
  const { path } = useWorkspaceRequest();
  return (
    <div class="help">
      These segments use something that was deleted. Edit their conditions before you choose them:
      <ul class="notes">
        {segments.slice(0, EXPLAINED).map(({ id, name, reasons }) => (
          <li>
            <a href={path(`/segments/${id}`)}>{name}</a>: {reasons.map(({ message }) => message).join(" ")}
          </li>
        ))}
        {segments.length > EXPLAINED && (
          <li>
            and {segments.length - EXPLAINED} more, marked as broken under <a href={path("/segments")}>Segments</a>
          </li>
        )}
      </ul>
    </div>
  );
};

/** A selected segment that is now broken stays selected with a fault. Without it, the campaign would reach everyone. */
function stateWith(state: FormState, chosen: Segment | undefined): FormState {
  if (chosen?.invalid !== true || state.faults.some(({ path }) => path === FIELD)) return state;
  const message = `${chosen.name} is broken. Choose another segment, or edit its conditions.`;
  return { ...state, faults: [...state.faults, { path: FIELD, code: "invalid_state", message }] };
}

export const SegmentChoice: FC<{ segments: readonly SegmentRecord[] }> = ({ segments }) => {
  const state = useFormState();
  const all = segments.map(presentSegment);
  const broken = all.filter(({ invalid }) => invalid);
  const chosen = all.find(({ id }) => id === state.values.get(FIELD)?.[0]);
  if (all.length === 0) return null;
  const options = all.map(({ id, name, invalid }) => ({
    value: id,
    label: invalid ? `${name} (broken)` : name,
    disabled: invalid && id !== chosen?.id,
  }));
  return (
    <>
      <FormStateProvider value={stateWith(state, chosen)}>
        <SelectField name={FIELD} label="Segment" options={[{ value: "", label: "None" }, ...options]} />
      </FormStateProvider>
      {broken.length > 0 && <Broken segments={broken} />}
    </>
  );
};
