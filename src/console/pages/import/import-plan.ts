// The import plan: column mapping and parsing settings.
import * as z from "zod";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import type { FieldDefinition } from "../../../features/custom-fields/custom-fields.values.ts";
import { phoneCountries } from "../../../shared/text/phone.ts";
import { dateOrders } from "./import-dates.ts";

const MAX_COLUMNS = 200;

const fileRow = z.array(z.string()).max(MAX_COLUMNS);

const columns = <T extends z.ZodType>(place: T) => z.array(place).max(MAX_COLUMNS);

/** An invalid cell skips its row, or only itself. */
const misfits = z.enum(["refuse_row", "leave_out"]);

const shared = {
  tag: z.string().trim().max(60),
  /** The country of numbers without a country code; empty if all have one. */
  country: z.union([z.literal(""), z.enum(phoneCountries())]).default(""),
  misfits: misfits.default("refuse_row"),
};

export const delimiters = [
  { value: ",", label: "Commas" },
  { value: ";", label: "Semicolons" },
  { value: "\t", label: "Tabs" },
  { value: "|", label: "Vertical bars" },
] as const;

/** The first rows of a file. Null settings are guessed. */
export const previewBody = z.strictObject({
  rows: z.array(fileRow).min(1).max(100),
  delimiter: z.enum(delimiters.map(({ value }) => value)).default(","),
  has_heads: z.boolean().nullable(),
  mapping: columns(z.string().nullable()).nullable(),
  date_order: z.enum(dateOrders).nullable().default(null),
  ...shared,
});

export const rowsBody = z.strictObject({
  rows: z.array(fileRow).min(1).max(500),
  mapping: columns(z.string()),
  date_order: z.enum(dateOrders).nullable().default(null),
  ...shared,
});

type Settings = Omit<z.output<typeof rowsBody>, "rows">;

export interface ImportPlan extends Settings {
  fields: readonly CustomFieldRecord[];
  definitions: readonly FieldDefinition[];
}

export const createImportPlan = (settings: Settings, fields: readonly CustomFieldRecord[]): ImportPlan => ({
  ...settings,
  fields,
  definitions: fields.map(({ field_key: key, removed_options: removed, ...field }) => ({ ...field, key, removed })),
});

/** The row's text for one target, from one or several columns. */
export interface ImportCell {
  target: string;
  text: string;
  /** The API value. Invalid text stays, so that the schema rejects it. */
  value: unknown;
}
