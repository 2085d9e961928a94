import { opsByKind } from "../../../features/segments/segments.fields.ts";
import {
  type BuilderState,
  type ConditionGroup,
  isGroup,
  conditionNumber,
  effectiveOp,
  CONDITIONS_PREFIX,
  type ConditionRow,
} from "./segment-builder-state.ts";
import { FaultText, ConditionSelect, valueInput } from "./segment-value-inputs.tsx";
import { type KnownFields, labelOp } from "./segment-fields.tsx";

interface BuilderContext {
  fields: KnownFields;
  tags: readonly string[];
  next: string | null;
}

const Remove = ({ position, label, text = "Remove" }: { position: string; label: string; text?: string }) => (
  <button
    type="submit"
    class="plain"
    formnovalidate
    name="do"
    value={`remove:${position}`}
    id={`remove-${position.replace(".", "-")}`}
    aria-label={`Remove ${label}`}
  >
    {text}
  </button>
);

/** `position` is the index of the condition, counted from 0: `2`, or `2.0` inside a group. */
function Condition({
  row,
  path,
  position,
  context,
}: {
  row: ConditionRow;
  path: string;
  position: string;
  context: BuilderContext;
}) {
  const { fields, tags } = context;
  const label = `Condition ${conditionNumber(position)}`;
  const field = fields.get(row.field);
  const names = Array.from(fields, ([value, known]) => ({ value, label: known.label }));
  const options = field === undefined ? [{ value: row.field, label: `${row.field} (deleted)` }, ...names] : names;
  const { kind } = field ?? { kind: "text" as const };
  const op = effectiveOp(row, fields);
  const valueProps = { path: `${path}.value`, label: `${label}: value`, values: row.values };
  return (
    <li class="condition">
      <p class="place">{label}</p>
      <div>
        <ConditionSelect
          path={`${path}.field`}
          label={`${label}: field`}
          chosen={row.field}
          options={options}
          isLive
          hasFocus={context.next === position}
        />
        <FaultText path={`${path}.field`} />
      </div>
      <div>
        <ConditionSelect
          path={`${path}.op`}
          label={`${label}: comparison`}
          chosen={op}
          isLive
          options={opsByKind[kind].map((value) => ({ value, label: labelOp(value, kind) }))}
        />
        <FaultText path={`${path}.op`} />
      </div>
      <div class="value">
        {valueInput(field ?? { kind, options: [], label, optionLabel: String }, op, valueProps, tags)}
        <FaultText path={`${path}.value`} />
      </div>
      <Remove position={position} label={label} />
    </li>
  );
}

const MATCHES = [
  { value: "all", label: "all" },
  { value: "any", label: "any" },
];

const Match = ({ path, chosen, of, label }: { path: string; chosen: string; of: string; label: string }) => (
  <p class="match">
    Contacts for whom <ConditionSelect path={path} label={label} chosen={chosen} options={MATCHES} /> of {of} are met
  </p>
);

function GroupBox({
  group,
  path,
  position,
  context,
}: {
  group: ConditionGroup;
  path: string;
  position: string;
  context: BuilderContext;
}) {
  const label = `group ${Number(position) + 1}`;
  return (
    <li class="group">
      <Match path={`${path}.match`} chosen={group.match} of="these" label="Which conditions of the group must match" />
      <ul class="conditions">
        {group.rows.map((row, at) => (
          <Condition row={row} path={`${path}.conditions.${at}`} position={`${position}.${at}`} context={context} />
        ))}
      </ul>
      <div class="buttons">
        <button type="submit" class="plain" formnovalidate name="do" value={`add:${position}`} id={`add-${position}`}>
          Add condition to group
        </button>
        <Remove position={position} label={label} text="Remove group" />
      </div>
    </li>
  );
}

export function Conditions({ draft, ...context }: BuilderContext & { draft: BuilderState }) {
  const hasGroup = draft.entries.some(isGroup);
  return (
    <>
      <Match path="filter.match" chosen={draft.match} of="these conditions" label="Which conditions must match" />
      <ul class="conditions">
        {draft.entries.map((entry, at) =>
          isGroup(entry) ? (
            <GroupBox group={entry} path={`${CONDITIONS_PREFIX}.${at}`} position={String(at)} context={context} />
          ) : (
            <Condition row={entry} path={`${CONDITIONS_PREFIX}.${at}`} position={String(at)} context={context} />
          ),
        )}
      </ul>
      <div class="buttons">
        <button type="submit" class="plain" formnovalidate name="do" value="add" id="add">
          Add condition
        </button>
        {!hasGroup && (
          <button type="submit" class="plain" formnovalidate name="do" value="add-group" id="add-group">
            Add group
          </button>
        )}
        <button type="submit" class="plain no-script" formnovalidate name="do" value="refresh">
          Update fields and count
        </button>
      </div>
    </>
  );
}
