import * as z from "zod";
import { documentedChoices } from "../../http/request/choices.ts";
import { cursorParam, limitParam, boundedText, timestamp } from "../../http/fields.ts";
import { type FieldType, fieldTypes, selectTypes } from "./custom-fields.values.ts";
import { isReserved, RESERVED_NAME } from "../../shared/security/own.ts";
import { iso } from "../../shared/time/iso-times.ts";

/**
 * Templates and filters use these names for a contact's built-in fields, so a custom field cannot have them. The list
 * is a copy, because this feature must not import the contacts feature.
 */
const CONTACT_FIELDS = [
  "id",
  "name",
  "first_name",
  "phone",
  "email",
  "company",
  "status",
  "lifecycle_stage",
  "source",
  "is_unsubscribed",
  "marketing_opt_out",
  "is_archived",
  "address_as",
  "tags",
  "custom_fields",
  "external_ids",
  "created_at",
  "updated_at",
];

const fieldKey = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9_]{0,49}$/, "Must have 1 to 50 characters of a–z, 0–9 and _, starting with a letter.")
  .refine((key) => !isReserved(key), { message: RESERVED_NAME })
  .refine((key) => !CONTACT_FIELDS.includes(key), { message: "Must not be the name of a built-in field." });

const type = z.enum(fieldTypes).meta({
  id: "CustomFieldType",
  description: "Type of the values. A `date` is YYYY-MM-DD. A `country` has two letters.",
});

export const isSelect = (name: FieldType): boolean => selectTypes.includes(name);

const options = z
  .array(boundedText(100))
  .min(1)
  .max(200)
  .superRefine((list, issues) => {
    for (const [index, option] of list.entries()) {
      if (list.indexOf(option) === index) continue;
      const message = `${JSON.stringify(option)} is repeated.`;
      issues.addIssue({ code: "custom", path: [index], message, params: { code: "duplicate" } });
    }
  })
  .nullable()
  .meta({ description: "Options of a select or multi_select field. Null for other types." });

export const optionsMissing = "This field is required for select and multi_select.";
export const optionsRefused = "Only select and multi_select have options.";

export const createCustomFieldBody = z
  .strictObject({ field_key: fieldKey, label: boundedText(120), type, options: options.default(null) })
  .superRefine((body, issues) => {
    const path = ["options"];
    if (isSelect(body.type) && body.options === null) {
      issues.addIssue({ code: "custom", path, message: optionsMissing, params: { code: "required" } });
    }
    if (!isSelect(body.type) && body.options !== null)
      issues.addIssue({ code: "custom", path, message: optionsRefused });
  })
  .meta({
    id: "CustomFieldsCreateRequest",
    ...documentedChoices({
      oneOf: [
        {
          required: ["type", "options"],
          properties: {
            type: { type: "string", enum: [...selectTypes] },
            options: { type: "array", items: { type: "string" } },
          },
        },
        {
          required: ["type"],
          properties: {
            type: { type: "string", enum: fieldTypes.filter((name) => !isSelect(name)) },
            options: { type: "null" },
          },
        },
      ],
    }),
  });

export const updateCustomFieldBody = z
  .strictObject({ field_key: z.string().trim(), label: boundedText(120), type: z.string().trim(), options })
  .partial();

export const listCustomFieldsQuery = z.strictObject({ limit: limitParam(), cursor: cursorParam(z.tuple([z.int()])) });

export const customFieldView = z
  .strictObject({
    id: z.string(),
    field_key: z.string(),
    label: z.string(),
    type,
    options: z.array(z.string()).nullable(),
    created_at: timestamp,
  })
  .meta({ id: "CustomField" });

export const customFieldRecord = z.object({
  ...customFieldView.shape,
  number: z.number(),
  options: z.array(z.string()),
  removed_options: z.array(z.string()),
  created_at: z.number(),
});

export type CustomFieldRecord = z.infer<typeof customFieldRecord>;

export const presentCustomField = (record: CustomFieldRecord): z.infer<typeof customFieldView> => ({
  id: record.id,
  field_key: record.field_key,
  label: record.label,
  type: record.type,
  options: isSelect(record.type) ? record.options : null,
  created_at: iso(record.created_at),
});
