import { isSelect, updateCustomFieldBody } from "../../features/custom-fields/custom-fields.schemas.ts";
import { listCustomFields, updateCustomField } from "../../features/custom-fields/custom-fields.service.ts";
import { notFound } from "../../shared/errors.ts";
import { go, show } from "../kit/answers.ts";
import { workspacePages } from "../kit/audiences.ts";
import { Facts } from "../kit/feedback.tsx";
import { Form, Submit, TextField } from "../kit/form-fields.tsx";
import { type FormState, type SentForm, untouched } from "../kit/forms.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { CUSTOM_FIELDS, OptionsField, readOptions, typeNames } from "./custom-fields-parts.tsx";

export const customFieldEditPages = workspacePages();

/** As many as a workspace may have. */
const ALL = 100;

async function editPage({ ctx, path }: WorkspaceVisit, id: string, state: FormState = untouched) {
  const field = (await listCustomFields(ctx, ALL)).find((each) => each.id === id);
  if (field === undefined) throw notFound("custom field");
  const { label, field_key, type, options } = field;
  return show({
    title: label,
    body: (
      <>
        <Facts
          facts={[
            ["Key", <code>{field_key}</code>],
            ["Type", typeNames[type]],
          ]}
        />
        <Form action={path(`${CUSTOM_FIELDS}/${id}`)} state={state} class="narrow">
          <TextField name="label" label="Label" value={label} required state={state} />
          {isSelect(type) && (
            <OptionsField
              state={state}
              value={options}
              required
              help="One a line. Contacts that have a choice you take away lose it at once; renaming one is taking it away."
            />
          )}
          <Submit>Save</Submit>
        </Form>
      </>
    ),
  });
}

/** Fields without choices do not send any. */
const readChange = (form: SentForm) => ({
  label: form.text("label") ?? "",
  ...(form.values.has("options") && { options: readOptions(form) }),
});

customFieldEditPages.get("/settings/custom-fields/:id", {}, (visit, { params }) => editPage(visit, params.id));

customFieldEditPages.post(
  "/settings/custom-fields/:id",
  { body: updateCustomFieldBody, read: readChange, again: (visit, { id }, form) => editPage(visit, id, form) },
  async ({ ctx, path }, { params, body: { field_key: fieldKey, ...body } }) => {
    const { label } = await updateCustomField(ctx, params.id, {
      label: body.label,
      fieldKey,
      type: body.type,
      options: body.options,
    });
    return go(path(CUSTOM_FIELDS), `${label} has been saved.`);
  },
);
