import * as z from "zod";
import { iso, text, timestamp } from "../../http/fields.ts";

/** A contact as the repository reads it. */
export const contactRecord = z.object({
  id: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  company: z.string().nullable(),
  status: z.string(),
  lifecycle_stage: z.string(),
  source: z.string(),
  is_unsubscribed: z.number(),
  is_archived: z.number(),
  address_as: z.string().nullable(),
  external_ids: z.array(z.object({ provider: z.string(), id: z.string() })),
  created_at: z.number(),
  updated_at: z.number(),
});

export const contactView = z
  .strictObject({
    id: z.string(),
    name: z.string().nullable(),
    phone: z.string().nullable().meta({ description: "E.164, in the spelling it was given." }),
    email: z.string().nullable(),
    company: z.string().nullable(),
    status: z.string(),
    lifecycle_stage: z.string(),
    source: z.string(),
    is_unsubscribed: z.boolean(),
    is_archived: z.boolean(),
    address_as: z.string().nullable(),
    tags: z.array(z.strictObject({ id: z.string(), name: z.string(), color: z.string() })),
    custom_fields: z.record(z.string(), z.unknown()),
    external_ids: z.array(z.strictObject({ provider: z.string(), id: z.string() })),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Contact" });

export const updateContactBody = z.strictObject({ name: text(200).nullable(), is_unsubscribed: z.boolean() }).partial();

export const presentContact = (record: z.infer<typeof contactRecord>): z.infer<typeof contactView> => ({
  ...record,
  is_unsubscribed: record.is_unsubscribed === 1,
  is_archived: record.is_archived === 1,
  tags: [],
  custom_fields: {},
  created_at: iso(record.created_at),
  updated_at: iso(record.updated_at),
});
