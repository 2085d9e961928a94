import * as z from "zod";
import {
  type CustomFieldRecord,
  updateCustomFieldBody,
} from "../../../features/custom-fields/custom-fields.schemas.ts";
import { presentSegment } from "../../../features/segments/segments.schemas.ts";
import type { Ctx } from "../../../shared/context.ts";
import { findFormConflict } from "../../../shared/edit-conflicts.ts";
import { notFound } from "../../../shared/errors.ts";
import { formatCount } from "../../kit/format.ts";
import { Before } from "../../kit/forms/changes.tsx";
import { formFields } from "../../kit/forms/form-body.ts";
import { HiddenFields } from "../../kit/forms/hidden-fields.tsx";
import { countContactsWith, describeUses, showDeletionPage } from "../../kit/page/record-pages.tsx";
import type { WorkspaceRequest } from "../../kit/request.ts";
import { listAllCustomFields, listAllSegments } from "../choices.ts";

export const CUSTOM_FIELDS = "/settings/custom-fields";

export const typedOptions = z
  .string()
  .transform((text) => {
    const lines = text.split("\n").map((line) => line.trim());
    const options = lines.filter((line) => line !== "");
    return options.length === 0 ? null : options;
  })
  .nullable()
  .optional();

export async function findCustomField(ctx: Ctx, id: string): Promise<CustomFieldRecord> {
  const field = (await listAllCustomFields(ctx)).find((each) => each.id === id);
  if (field === undefined) throw notFound("custom field");
  return field;
}

export const customFieldForm = updateCustomFieldBody.extend({
  options: typedOptions.pipe(updateCustomFieldBody.shape.options),
  is_confirmed: z.boolean().optional(),
});

type CustomFieldForm = z.output<typeof customFieldForm>;

const textFields = ({ label, options }: CustomFieldForm) => formFields({ label, options: options?.join("\n") });

/** Finds the valid segments that become invalid if the field has only the options in `kept`. */
async function findBreakingSegments(ctx: Ctx, key: string, kept: string[]) {
  const segments = await listAllSegments(ctx);
  return segments.filter((segment) => {
    const fields = segment.fields.map((field) => (field.key === key ? { ...field, options: kept } : field));
    return !presentSegment(segment).invalid && presentSegment({ ...segment, fields }).invalid;
  });
}

/** Returns null if the form removes no choice that a contact has, or if the update will throw a conflict. */
export async function findRemovalPage(
  request: WorkspaceRequest,
  id: string,
  sent: CustomFieldForm,
  original: CustomFieldForm = {},
) {
  const { ctx, path } = request;
  const { options: kept = null } = sent;
  if (kept === null) return null;
  const field = await findCustomField(ctx, id);
  if (findFormConflict(field, sent, original) !== null) return null;
  const { field_key: key, label, type, options } = field;
  const value = options.filter((option) => !kept.includes(option));
  if (value.length === 0) return null;
  const op = type === "select" ? "in" : "has_any";
  const contacts = await countContactsWith(ctx, { field: `custom_fields.${key}`, op, value });
  if (contacts === 0) return null;
  const segments = await findBreakingSegments(ctx, key, kept);
  const isOne = value.length === 1;
  const all = `All contacts with ${isOne ? "this choice" : "these choices"}`;
  const who = contacts === null ? all : formatCount(contacts, "contact");
  const at = path(`${CUSTOM_FIELDS}/${id}`);
  return showDeletionPage({
    title: `Remove ${isOne ? `“${value[0]}”` : formatCount(value.length, "choice")} from ${label}?`,
    action: at,
    back: at,
    consequence:
      "Contacts lose a removed or renamed choice immediately. If you add the choice again, they don't get it back.",
    uses: [
      `${who} will lose ${value.map((option) => `“${option}”`).join(", ")}.`,
      ...describeUses(request, 0, { segments, campaigns: [], templates: [] }),
    ],
    confirm: isOne ? "Remove choice" : "Remove choices",
    fields: (
      <>
        <HiddenFields fields={[...textFields(sent), ["is_confirmed", "true"]]} />
        {textFields(original).map(([name, text]) => (
          <Before name={name} now={[text]} />
        ))}
      </>
    ),
  });
}
