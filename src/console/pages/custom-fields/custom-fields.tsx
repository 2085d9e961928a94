import * as z from "zod";
import type { FC } from "hono/jsx";
import type { FieldType } from "../../../features/custom-fields/custom-fields.values.ts";
import { TextArea, Form, SelectField, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import { findUsesOfCustomField, type NamedRecord } from "../../../features/campaigns/find-uses.ts";
import {
  createCustomFieldBody,
  type CustomFieldRecord,
  isSelect,
  listCustomFieldsQuery,
} from "../../../features/custom-fields/custom-fields.schemas.ts";
import {
  createCustomField,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from "../../../features/custom-fields/custom-fields.service.ts";
import { page } from "../../../http/fields.ts";
import { ButtonLink } from "../../kit/actions.tsx";
import { redirectTo } from "../../kit/results.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { ListPage } from "../../kit/page/list-page.tsx";
import { countContactsWith, describeUses, showDeletionPage } from "../../kit/page/record-pages.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { redirectNamingBrokenSegments } from "../segments/segments.tsx";
import { presentSegment } from "../../../features/segments/segments.schemas.ts";
import type { Ctx } from "../../../shared/context.ts";
import { Facts } from "../../kit/feedback.tsx";
import { listAllSegments } from "../choices.ts";
import { CUSTOM_FIELDS, customFieldForm, findCustomField, findRemovalPage, typedOptions } from "./removed-options.tsx";

const NEW_CUSTOM_FIELD = "/settings/custom-fields/new";

const typeNames = {
  text: "Text",
  number: "Number",
  boolean: "Yes or no",
  date: "Date",
  datetime: "Date and time",
  select: "Single choice",
  multi_select: "Multiple choice",
  country: "Country",
  url: "URL",
  email: "Email",
  phone: "Phone number",
} satisfies Record<FieldType, string>;

const typeOptions = Object.entries(typeNames).map(([value, label]) => ({ value, label }));

interface OptionsProps {
  help: string;
  value?: string[];
  /**
   * Do not set this if the input can be hidden: browsers do not submit a form in which a hidden field is
   * required and empty.
   */
  required?: boolean;
}

const OptionsField: FC<OptionsProps> = ({ value = [], ...props }) => (
  <TextArea name="options" label="Choices" rows={5} value={value.join("\n")} {...props} />
);

export const customFieldPages = workspacePages();

const PER_PAGE = 50;

const summariseOptions = ({ type, options }: CustomFieldRecord) =>
  isSelect(type) && <span class="cut help">{options.join(" · ")}</span>;

customFieldPages.get(CUSTOM_FIELDS, { query: listCustomFieldsQuery }, async ({ ctx, path }, { query }) => {
  const rows = await listCustomFields(ctx, PER_PAGE, query.cursor?.[0]);
  const { items, nextCursor } = page(rows, PER_PAGE, ({ number }) => [number]);
  return (
    <ListPage
      title="Custom fields"
      create={{ label: "New custom field", href: path(NEW_CUSTOM_FIELD) }}
      caption="Custom fields, newest first"
      rows={items}
      columns={[
        { label: "Label", cell: ({ id, label }) => <a href={path(`${CUSTOM_FIELDS}/${id}`)}>{label}</a> },
        { label: "Key", cell: ({ field_key }) => <code>{field_key}</code> },
        {
          label: "Type",
          cell: (field) => (
            <>
              {typeNames[field.type]} {summariseOptions(field)}
            </>
          ),
        },
      ]}
      buttons={({ id, label }) => (
        <ButtonLink href={path(`${CUSTOM_FIELDS}/${id}/delete`)}>
          Delete<span class="unseen"> {label}</span>
        </ButtonLink>
      )}
      empty={{
        title: "No custom fields yet",
        icon: "text-cursor-input",
        text: "Store more about your contacts, like a birthday or a size.",
      }}
      next={nextCursor}
    />
  );
});

function newFieldPage({ path }: WorkspaceRequest) {
  return (
    <Page title="New custom field">
      <Form action={path(NEW_CUSTOM_FIELD)} class="narrow typed">
        <TextField name="label" label="Label" help="The label in the console, like “Shoe size”." required />
        <TextField
          name="field_key"
          label="Key"
          help="The name in templates and the API, like shoe_size. Use only a–z, 0–9 and _. You can't change it later."
          maxlength={50}
          required
        />
        <SelectField
          name="type"
          label="Type"
          help="You can't change it later."
          options={typeOptions}
          value="text"
          required
        />
        <div class="of-selects">
          <OptionsField help="One per line." />
        </div>
        <Submit>Create field</Submit>
      </Form>
    </Page>
  );
}

const text = z.string().optional();
const hasOptions = createCustomFieldBody.shape.type.refine(isSelect);

/** Drops the options if the type has none. The form then hides their input but still submits it. */
const newCustomFieldForm = z
  .object({ field_key: text, label: text, type: text, options: typedOptions })
  .transform((sent): object => ({ ...sent, options: hasOptions.safeParse(sent.type).success ? sent.options : null }))
  .pipe(createCustomFieldBody);

customFieldPages.form(
  NEW_CUSTOM_FIELD,
  { body: newCustomFieldForm, page: newFieldPage },
  async ({ ctx, path }, { body: { field_key: fieldKey, ...body } }) => {
    const { label } = await createCustomField(ctx, { ...body, fieldKey });
    return redirectTo(path(CUSTOM_FIELDS), `${label} created.`);
  },
);

customFieldPages.get("/settings/custom-fields/:id/delete", {}, async (request, { params: { id } }) => {
  const uses = await findUsesOfCustomField(request.ctx, id);
  const contacts = await countContactsWith(request.ctx, { field: `custom_fields.${uses.key}`, op: "is_set" });
  const back = request.path(CUSTOM_FIELDS);
  return showDeletionPage({
    title: `Delete ${uses.name}?`,
    action: `${back}/${id}/delete`,
    back,
    consequence: "All contacts lose their values immediately. A new field with the same key doesn't restore them.",
    uses: describeUses(request, contacts, uses),
    confirm: "Delete field and values",
  });
});

customFieldPages.post("/settings/custom-fields/:id/delete", {}, async (request, { params: { id } }) => {
  const { segments } = await findUsesOfCustomField(request.ctx, id);
  const { label } = await deleteCustomField(request.ctx, id);
  return redirectNamingBrokenSegments(request, request.path(CUSTOM_FIELDS), `${label} deleted.`, segments);
});

async function editPage({ ctx, path }: WorkspaceRequest, { id }: { id: string }) {
  const { label, field_key, type, options } = await findCustomField(ctx, id);
  return (
    <Page title={label}>
      <Facts
        facts={[
          ["Key", <code>{field_key}</code>],
          ["Type", typeNames[type]],
        ]}
      />
      <Form action={path(`${CUSTOM_FIELDS}/${id}`)} class="narrow" isPartial>
        <TextField name="label" label="Label" value={label} required />
        {isSelect(type) && (
          <OptionsField
            value={options}
            required
            help="One per line. If you remove or rename a choice, contacts lose it immediately."
          />
        )}
        <Submit>Save</Submit>
      </Form>
    </Page>
  );
}

/** Finds the segments with this field that are broken, which happens if one of their options is removed. */
async function findBrokenSegments(ctx: Ctx, id: string): Promise<NamedRecord[]> {
  const [uses, all] = await Promise.all([findUsesOfCustomField(ctx, id), listAllSegments(ctx)]);
  const asking = new Set(uses.segments.map((segment) => segment.id));
  return all.map(presentSegment).filter((segment) => segment.invalid && asking.has(segment.id));
}

customFieldPages.form(
  "/settings/custom-fields/:id",
  { body: customFieldForm, isPartial: true, page: editPage },
  async (request, { params: { id }, body, original }) => {
    const removalPage = body.is_confirmed === true ? null : await findRemovalPage(request, id, body, original);
    if (removalPage !== null) return removalPage;
    const { ctx, path } = request;
    const change = { label: body.label, fieldKey: body.field_key, type: body.type, options: body.options };
    const { label } = await updateCustomField(ctx, id, change, original);
    const broken = body.options === undefined ? [] : await findBrokenSegments(ctx, id);
    return redirectNamingBrokenSegments(request, path(CUSTOM_FIELDS), `${label} saved.`, broken);
  },
);
