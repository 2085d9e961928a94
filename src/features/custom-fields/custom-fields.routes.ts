import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  createCustomFieldBody,
  customFieldView,
  listCustomFieldsQuery,
  presentCustomField,
  updateCustomFieldBody,
} from "./custom-fields.schemas.ts";
import { createCustomField, deleteCustomField, listCustomFields, updateCustomField } from "./custom-fields.service.ts";

export const customFieldsApi = createApi("Custom fields", publicApi);

customFieldsApi.get(
  "/custom-fields",
  {
    name: "customFields.list",
    tool: "read",
    summary: "List custom fields, newest first",
    description: "Returns the custom fields that every contact of the workspace has in `custom_fields`.",
    query: listCustomFieldsQuery,
    response: { custom_fields: z.array(customFieldView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listCustomFields(ctx, limit, cursor?.[0]), limit, ({ number }) => [
      number,
    ]);
    return { custom_fields: items.map(presentCustomField), next_cursor: nextCursor };
  },
);

customFieldsApi.post(
  "/custom-fields",
  {
    name: "customFields.create",
    summary: "Create a custom field",
    description:
      "A workspace has at most 100 custom fields. If you create a field with the key of a deleted field, contacts do not get their old values back.",
    body: createCustomFieldBody,
    example: { field_key: "plan_name", label: "Plan", type: "select", options: ["free", "pro"] },
    status: 201,
    response: { custom_field: customFieldView },
    errors: ["conflict", "invalid_state"],
  },
  async (ctx, { body: { field_key: fieldKey, label, type, options } }) => ({
    custom_field: presentCustomField(await createCustomField(ctx, { fieldKey, label, type, options })),
  }),
);

customFieldsApi.patch(
  "/custom-fields/:id",
  {
    name: "customFields.update",
    summary: "Change a custom field's label or options",
    description:
      "Key and type never change; sending them unchanged has no effect. If you remove an option, contacts no longer have it as a value. You can add the option again after a background job has cleared the stored values.",
    body: updateCustomFieldBody,
    example: { label: "Current plan" },
    response: { custom_field: customFieldView },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, body: { field_key: fieldKey, label, type, options } }) => ({
    custom_field: presentCustomField(await updateCustomField(ctx, params.id, { fieldKey, label, type, options })),
  }),
);

customFieldsApi.delete(
  "/custom-fields/:id",
  {
    name: "customFields.delete",
    summary: "Delete a custom field",
    description: "Removes the field's values from every contact immediately.",
    response: { custom_field: customFieldView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ custom_field: presentCustomField(await deleteCustomField(ctx, params.id)) }),
);
