import * as z from "zod";
import { boundedText, emailAddress, phoneNumber } from "../../http/fields.ts";

export const contactStatuses = ["hot", "warm", "active", "cold", "new"] as const;
const lifecycleStages = ["lead", "prospect", "negotiation", "customer", "churned"] as const;

/** Clearing one of these fields restores its default, because its column cannot be null. */
export const contactDefaults = { status: "new", lifecycle_stage: "lead", source: "api" } as const;

export const defaultsByField: ReadonlyMap<string, string> = new Map(Object.entries(contactDefaults));

export const contactStatus = z.enum(contactStatuses).meta({
  id: "ContactStatus",
  description: "How interested the contact is, for your own use.",
});
const lifecycleStage = z.enum(lifecycleStages).meta({
  id: "LifecycleStage",
  description: "Stage of the contact from first interest to customer and beyond, for your own use.",
});

interface FieldFacts {
  label: string;
  sent: z.ZodType;
  stored: z.ZodType;
  kind: "text" | "phone" | "choice";
  options: readonly string[];
  maxLength: number | null;
  /**
   * Filters compare a folded copy of the value if this is `compared` or `searched`, and the value itself if this is
   * null. If `searched`, searches find the field, and the beginning of each word is stored too.
   */
  folded: "searched" | "compared" | null;
  /**
   * True if the field identifies a contact, like phone and email. Its column `<name>_key` stores a key that two active
   * contacts cannot share.
   */
  isAddress: boolean;
  isMerged: boolean;
  isListed: boolean;
  /** True if many contacts can have the same value. The console then offers a bulk edit for the field. */
  isShared: boolean;
  sample: string;
}

const defaultFacts = {
  kind: "text",
  options: [],
  maxLength: null,
  folded: null,
  isAddress: false,
  isMerged: true,
  isListed: true,
  isShared: false,
} as const;

const described = <S extends z.ZodType>(schema: S, description?: string) =>
  description === undefined ? schema : schema.meta({ description });

const text = (maxLength: number, description?: string) => ({
  ...defaultFacts,
  maxLength,
  sent: described(boundedText(maxLength).nullable(), description),
  stored: described(z.string().nullable(), description),
});

const choice = <S extends z.ZodEnum>(schema: S) => ({
  ...defaultFacts,
  kind: "choice" as const,
  options: schema.options.map(String),
  sent: schema.nullable(),
  stored: schema,
  isShared: true,
});

const fields = {
  name: { label: "Name", ...text(200), folded: "searched", sample: "Alex Example" },
  phone: {
    label: "Phone",
    ...defaultFacts,
    kind: "phone",
    sent: phoneNumber({ requirePlus: false }).nullable(),
    stored: z
      .string()
      .nullable()
      .meta({ description: "E.164 number. A number in a country's old format is stored as it was sent." }),
    isAddress: true,
    sample: "+14155550100",
  },
  email: {
    label: "Email",
    ...defaultFacts,
    sent: emailAddress().nullable(),
    stored: z.string().nullable(),
    folded: "searched",
    isAddress: true,
    sample: "alex@example.com",
  },
  company: { label: "Company", ...text(200), folded: "searched", isShared: true, sample: "Example & Co." },
  address_as: {
    label: "Addressed as",
    ...text(100, "How templates address the contact, like “Dear Alex”."),
    folded: "compared",
    isListed: false,
    sample: "Dear Alex",
  },
  status: { label: "Status", ...choice(contactStatus), sample: "active" as const },
  lifecycle_stage: { label: "Lifecycle stage", ...choice(lifecycleStage), sample: "customer" as const },
  source: {
    label: "Source",
    ...text(60, "Origin of the contact. Default: `api`."),
    stored: z.string().meta({ description: "Origin of the contact." }),
    folded: "compared",
    isMerged: false,
    isShared: true,
    sample: "console",
  },
} satisfies Record<string, FieldFacts>;

type Fields = typeof fields;

export type ContactField = keyof Fields;

export const contactFields: Readonly<Record<ContactField, FieldFacts>> = fields;

export const isContactField = (name: string): name is ContactField => Object.hasOwn(fields, name);

export const contactFieldNames = Object.keys(fields).filter(isContactField);

export const plainFieldNames = contactFieldNames.filter((name) => !contactFields[name].isAddress);

const factsByName = <In extends "sent" | "stored" | "sample">(use: In) =>
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- Object.fromEntries loses the types of the names
  Object.fromEntries(Object.entries(fields).map(([name, facts]) => [name, facts[use]])) as {
    [Name in ContactField]: Fields[Name][In];
  };

export const sentContactFields = factsByName("sent");
const storedContactFields = factsByName("stored");

export const sampleFields = factsByName("sample");

const { address_as, ...leadingFields } = storedContactFields;

/** Templates cannot use the source, because it is internal and means nothing to the person. */
const { source: _, ...templateFields } = storedContactFields;

export { address_as as greeting, leadingFields, templateFields };

export const leadingFieldNames = contactFieldNames.filter((name) => name !== "address_as");
export const templateFieldNames = contactFieldNames.filter((name) => name !== "source");

export function searchedFields(word: "and" | "or"): string {
  const isSearched = (name: ContactField) => contactFields[name].folded === "searched" || name === "phone";
  const labels = contactFieldNames.filter(isSearched).map((name) => contactFields[name].label.toLowerCase());
  return `${labels.slice(0, -1).join(", ")} ${word} ${labels.at(-1)}`;
}
