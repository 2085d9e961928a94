import { findUsesOfCustomField, type NamedRecord } from "../../../features/campaigns/find-uses.ts";
import { isSelect, updateCustomFieldBody } from "../../../features/custom-fields/custom-fields.schemas.ts";
import { updateCustomField } from "../../../features/custom-fields/custom-fields.service.ts";
import { presentSegment } from "../../../features/segments/segments.schemas.ts";
import { listSegments } from "../../../features/segments/segments.service.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { workspacePages } from "../../kit/audiences.ts";
import { Facts } from "../../kit/feedback.tsx";
import { Form, Submit, TextField } from "../../kit/forms/form-fields.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { Page } from "../../kit/page/page.tsx";
import { redirectNamingBrokenSegments } from "../segments/broken-segments.ts";
import { CUSTOM_FIELDS, OptionsField, typedOptions, typeNames, listAllCustomFields } from "./custom-fields-parts.tsx";

export const customFieldEditPages = workspacePages();

const MAX_SEGMENTS = 500;

async function editPage({ ctx, path }: WorkspaceRequest, id: string) {
  const field = (await listAllCustomFields(ctx)).find((each) => each.id === id);
  if (field === undefined) throw notFound("custom field");
  const { label, field_key, type, options } = field;
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

/** Broken segments that use a field. Removing a choice breaks segments that use the choice. */
async function findBrokenSegments(ctx: Ctx, id: string): Promise<NamedRecord[]> {
  const [uses, all] = await Promise.all([findUsesOfCustomField(ctx, id), listSegments(ctx, MAX_SEGMENTS, undefined)]);
  const asking = new Set(uses.segments.map((segment) => segment.id));
  return all.map(presentSegment).filter((segment) => segment.invalid && asking.has(segment.id));
}

const customFieldForm = updateCustomFieldBody.extend({
  options: typedOptions.pipe(updateCustomFieldBody.shape.options),
});

customFieldEditPages.get("/settings/custom-fields/:id", {}, (request, { params }) => editPage(request, params.id));

customFieldEditPages.post(
  "/settings/custom-fields/:id",
  {
    body: customFieldForm,
    isPartial: true,
    onInvalid: (request, { id }) => editPage(request, id),
  },
  async (request, { params: { id }, body: { field_key: fieldKey, ...body }, original }) => {
    const { ctx, path } = request;
    const change = { label: body.label, fieldKey, type: body.type, options: body.options };
    const { label } = await updateCustomField(ctx, id, change, original);
    const broken = body.options === undefined ? [] : await findBrokenSegments(ctx, id);
    return redirectNamingBrokenSegments(request, path(CUSTOM_FIELDS), `${label} saved.`, broken);
  },
);
