import * as z from "zod";
import { anyOf, documentedChoices } from "../../http/request/choices.ts";
import {
  cursorParam,
  documentedAs,
  flagParam,
  searchParam,
  limitParam,
  offsetParam,
  boundedText,
  rowError,
  storedRevision,
  timestamp,
} from "../../http/fields.ts";
import { parseRow } from "../../http/request/validate.ts";
import { type AppError, invalid } from "../../shared/errors.ts";
import {
  contactStatus,
  sentContactFields,
  leadingFields,
  greeting,
  searchedFields,
  templateFields,
} from "./contact-fields.schemas.ts";
import { iso } from "../../shared/time/iso-times.ts";
import { sentTags } from "../tags/tags.schemas.ts";

export const tag = z.strictObject({ id: z.string(), name: z.string(), color: z.string() });
const externalId = z.strictObject({
  provider: z.string(),
  id: z.string(),
  connection_id: z.string().nullable(),
  username: z.string().nullable(),
});

export const contactLayout = z.array(
  z.object({ number: z.number(), key: z.string(), type: z.string(), removed: z.array(z.string()) }),
);

export type ContactLayout = z.infer<typeof contactLayout>;

export const contactView = z
  .strictObject({
    id: z.string(),
    ...leadingFields,
    is_unsubscribed: z.boolean().meta({ description: "True if the person opted out of all messages." }),
    marketing_opt_out: z.boolean().meta({
      description:
        "True if the person turned off marketing messages in WhatsApp. Campaigns and marketing templates do not reach this person, but replies and utility templates do. Only the person can change this, in WhatsApp or by writing START.",
    }),
    is_archived: z.boolean().meta({ description: "True if the contact is hidden from lists and campaigns." }),
    address_as: greeting,
    tags: z.array(tag),
    custom_fields: z
      .record(z.string(), z.unknown())
      .meta({ description: "All custom fields of the workspace by key. Unset fields are null." }),
    external_ids: z.array(externalId),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Contact" });

/** The keys of `custom_fields` are the numbers of the fields, not the keys that clients see. */
export const contactRecord = z.object({
  ...contactView.shape,
  is_unsubscribed: z.number(),
  /** Replays that an earlier version stored do not have this field. */
  marketing_opt_out: z.number().default(0),
  is_archived: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  revision: storedRevision,
});

export type ContactRecord = z.infer<typeof contactRecord>;

export const contactFacts = contactRecord.pick({ custom_fields: true }).extend(templateFields);

export type ContactFacts = z.infer<typeof contactFacts>;

const withoutRemoved = (value: unknown, removed: string[]): unknown => {
  if (typeof value === "string") return removed.includes(value) ? null : value;
  if (!Array.isArray(value)) return value ?? null;
  const kept = value.filter((option) => !removed.includes(String(option)));
  return kept.length === 0 ? null : kept;
};

export const customFieldsByKey = (
  { custom_fields }: Pick<ContactRecord, "custom_fields">,
  layout: ContactLayout,
): Record<string, unknown> =>
  Object.fromEntries(
    layout.map(({ number, key, removed }) => [key, withoutRemoved(custom_fields[String(number)], removed)]),
  );

export function presentContact(record: ContactRecord, layout: ContactLayout): z.infer<typeof contactView> {
  const { revision: _, ...fields } = record;
  return {
    ...fields,
    is_unsubscribed: record.is_unsubscribed === 1,
    marketing_opt_out: record.marketing_opt_out === 1,
    is_archived: record.is_archived === 1,
    custom_fields: customFieldsByKey(record, layout),
    created_at: iso(record.created_at),
    updated_at: iso(record.updated_at),
  };
}

const { phone: sentPhone, email: sentEmail, address_as: sentGreeting, ...sentDetails } = sentContactFields;

export const contactDetails = {
  ...sentDetails,
  address_as: sentGreeting,
  phone: sentPhone,
  email: sentEmail,
  is_unsubscribed: z.boolean().meta({
    description:
      "True if the person opted out of all messages. The opt-out belongs to the number, so it applies to every contact with this number.",
  }),
  custom_fields: z
    .record(z.string(), z.unknown())
    .meta({ description: "Values of custom fields, by field key. Omitted fields stay unchanged." }),
};

/**
 * Clients can send back a contact that they have read. Requests therefore accept these read-only fields and ignore
 * them.
 */
const readOnly = (description: string) => {
  const read = z.unknown().meta({ description });
  return { id: read, marketing_opt_out: read, is_archived: read, external_ids: read, created_at: read };
};

export const readOnlyFields = Object.keys(readOnly(""));

const ignoredTime = {
  updated_at: timestamp.meta({ description: "Ignored." }),
};

export const upsertContactBody = z
  .strictObject({
    ...contactDetails,
    ...readOnly("Ignored."),
    ...ignoredTime,
    tags: sentTags.meta({
      description: "Tags to add, by name or as returned in a contact. Other tags stay. An unknown name creates a tag.",
    }),
    update: z.boolean().meta({ description: "`false` leaves an existing contact unchanged." }),
  })
  .partial()
  .refine(({ phone, email }) => (phone ?? email ?? null) !== null, {
    path: ["phone"],
    message: "Either phone or email is required.",
    params: { code: "required" },
  })
  .meta({
    id: "ContactsUpsertRequest",
    description: "Requires `phone` or `email`.",
    ...documentedChoices(anyOf(["phone", "email"], { type: "string" })),
  });

/** Each row is parsed alone, so that an invalid row does not fail the other rows of its batch. */
export function parseContactRow(
  sent: unknown,
  rowPath?: string,
): { input: z.output<typeof upsertContactBody> } | { error: AppError } {
  const row = parseRow(upsertContactBody, sent, rowPath);
  return row.faults === null ? { input: row.data } : { error: invalid(row.faults) };
}

export const batchBody = z.strictObject({
  contacts: z
    .array(z.unknown().meta(documentedAs("ContactsUpsertRequest")))
    .min(1)
    .max(500)
    .meta({
      description: "Bodies of `contacts.upsert`. Each body is validated separately.",
    }),
});

export const updateContactBody = z
  .strictObject({
    ...contactDetails,
    ...readOnly("Read-only. Accepted only if it equals the stored value."),
    ...ignoredTime,
    tags: sentTags.meta({
      description:
        "Replaces the contact's tags. Send names, or tags as returned in a contact. An unknown name creates a tag.",
    }),
  })
  .partial();

export const listContactsQuery = z.strictObject({
  search: searchParam.meta({ description: `Searches ${searchedFields("and")}.` }),
  tag: boundedText(60).optional().meta({ description: "Name of a tag of the contacts." }),
  source: boundedText(60).optional().meta({ description: "Origin of the contacts." }),
  status: contactStatus.optional().meta({ description: "Only contacts with this status." }),
  archived: flagParam
    .optional()
    .meta({ description: "`true` returns only archived contacts. By default, only active contacts are returned." }),
  limit: limitParam(),
  offset: offsetParam.optional().meta({ description: "Number of contacts to skip. Cannot be combined with `cursor`." }),
  cursor: cursorParam(z.tuple([z.int()])),
  include_total: flagParam.optional().meta({ description: "`true` also counts all matching contacts." }),
});

export const contactAnswer = z.object({ contact: contactRecord, layout: contactLayout });

export type ContactAnswer = z.infer<typeof contactAnswer>;

export const upsertOutcome = {
  created: z.boolean(),
  updated: z.boolean().meta({
    description:
      "True if an existing contact matched, even if it already had all sent values. False with `update: false`.",
  }),
  restored: z.boolean(),
  matched_by: z.enum(["phone", "email"]).nullable(),
};

export const batchResult = z.strictObject({
  index: z.int(),
  status: z.enum(["created", "updated", "unchanged", "failed"]).meta({
    description:
      "`updated` includes contacts that already had all sent values. `unchanged` means that the row has `update: false`.",
  }),
  contact_id: z.string().nullable(),
  error: rowError.nullable(),
});

export const batchCounts = z.strictObject({ created: z.int(), updated: z.int(), unchanged: z.int(), failed: z.int() });
