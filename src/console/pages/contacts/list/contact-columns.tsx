import type { Child, FC } from "hono/jsx";
import {
  type ContactField,
  contactFieldNames,
  contactFields,
} from "../../../../features/contacts/contact-fields.schemas.ts";
import type { CustomFieldRecord } from "../../../../features/custom-fields/custom-fields.schemas.ts";
import { Age } from "../../../kit/feedback.tsx";
import { toLabel } from "../../../kit/format.ts";
import { Icon } from "../../../kit/icon.tsx";
import { useWorkspaceRequest } from "../../../kit/request.ts";
import type { Column } from "../../../kit/tables.tsx";
import { isOwnCell } from "../contact-cell.tsx";
import {
  ContactLink,
  ContactStatusBadge,
  ContactTick,
  type ContactView,
  TagList,
  FieldValue,
  Unset,
} from "../contact-parts.tsx";
import { HiddenFields } from "../../../kit/forms/hidden-fields.tsx";

const NAME = "name";

interface NamedColumn extends Column<ContactView> {
  name: string;
}

const own = (name: string, cell: (contact: ContactView) => Child, label = toLabel(name)): NamedColumn => ({
  name,
  label,
  cell,
});

const Email: FC<{ of: string }> = ({ of }) => {
  const host = of.lastIndexOf("@");
  return (
    <span class="email">
      {of.slice(0, host)}
      <wbr />
      {of.slice(host)}
    </span>
  );
};

const cells: Partial<Record<ContactField, (contact: ContactView) => Child>> = {
  phone: ({ phone }) => (phone === null ? <Unset /> : <span class="whole">{phone}</span>),
  email: ({ email }) => (email === null ? <Unset /> : <Email of={email} />),
  status: ({ status }) => <ContactStatusBadge status={status} />,
  lifecycle_stage: ({ lifecycle_stage }) => toLabel(lifecycle_stage),
};

const listedFields = contactFieldNames.filter((name) => name !== NAME && contactFields[name].isListed);

const ownColumns: readonly NamedColumn[] = [
  ...listedFields.map((name) =>
    own(name, cells[name] ?? ((contact) => contact[name] ?? <Unset />), contactFields[name].label),
  ),
  own("tags", (contact) => (contact.tags.length === 0 ? <Unset /> : <TagList contact={contact} />)),
  own("created_at", ({ created_at }) => <Age at={Date.parse(created_at)} />, "Created"),
  own("updated_at", ({ updated_at }) => <Age at={Date.parse(updated_at)} />, "Updated"),
];

const columnOfField = (field: CustomFieldRecord): NamedColumn =>
  own(
    field.field_key,
    ({ custom_fields }) => <FieldValue field={field} value={custom_fields[field.field_key]} />,
    field.label,
  );

const DEFAULT = ["phone", "email", "status", "tags"];
const MAX_COLUMNS = 12;

const isDefault = ({ name }: NamedColumn) => DEFAULT.includes(name);

export const contactColumns: readonly Column<ContactView>[] = [
  own(NAME, (contact) => <ContactLink contact={contact} />),
  ...ownColumns.filter(isDefault),
];

const nameWithTick = own(NAME, (contact) => (
  <div class="ticked">
    <ContactTick contact={contact} />
    <span>
      <ContactLink contact={contact} />
    </span>
  </div>
));

interface ChosenColumns {
  columns: readonly NamedColumn[];
  options: readonly NamedColumn[];
  param: string | undefined;
}

export function chooseColumns(url: URL, fields: readonly CustomFieldRecord[]): ChosenColumns {
  const options = [...ownColumns, ...fields.map(columnOfField)];
  const requested = url.searchParams.getAll("columns").flatMap((names) => names.split(","));
  const names = new Set(requested.every((name) => name === "") ? DEFAULT : requested);
  const visible = [nameWithTick, ...options.filter(({ name }) => names.has(name)).slice(0, MAX_COLUMNS - 1)];
  const keys = new Set(fields.map(({ field_key }) => field_key));
  const columns = visible.map((column) => ({ ...column, isEditable: isOwnCell(column.name) || keys.has(column.name) }));
  const param = columns.map(({ name }) => name).join(",");
  return { columns, options, param: param === [NAME, ...DEFAULT].join(",") ? undefined : param };
}

export const ColumnMenu: FC<{ chosen: ChosenColumns; kept: (readonly [name: string, value: string])[] }> = ({
  chosen: { columns, options },
  kept,
}) => (
  <details class="menu end" id="columns">
    <summary>
      Columns <Icon name="chevron-down" size="small" />
    </summary>
    <div>
      <form method="get" action={useWorkspaceRequest().path("/contacts")} class="menu-form">
        <HiddenFields fields={kept} />
        <input type="hidden" name="columns" value={NAME} />
        <p class="help">The name and up to {MAX_COLUMNS - 1} more.</p>
        {options.map((option) => (
          <label class="choice">
            <input
              type="checkbox"
              name="columns"
              value={option.name}
              checked={columns.some(({ name }) => name === option.name)}
            />
            <span>{option.label}</span>
          </label>
        ))}
        <button type="submit">Show columns</button>
      </form>
    </div>
  </details>
);
