// The import plan: what the columns of a file hold and how its cells are read.
import * as z from "zod";
import type { CustomFieldRecord } from "../../../features/custom-fields/custom-fields.schemas.ts";
import type { FieldDefinition } from "../../../features/custom-fields/custom-fields.values.ts";
import { phoneCountries } from "../../../shared/text/phone.ts";
import { dateOrders } from "./import-dates.ts";

const MAX_COLUMNS = 200;

const fileRow = z.array(z.string()).max(MAX_COLUMNS);

const columns = <T extends z.ZodType>(place: T) => z.array(place).max(MAX_COLUMNS);

/** A row with a cell that cannot be read is refused, or imported without the cell. */
const misfits = z.enum(["refuse_row", "leave_out"]);

const shared = {
  tag: z.string().trim().max(60),
  /** The country of numbers without a country code; empty where all have one. */
  country: z.union([z.literal(""), z.enum(phoneCountries())]).default(""),
  misfits: misfits.default("refuse_row"),
};

export const delimiters = [
  { value: ",", label: "Commas" },
  { value: ";", label: "Semicolons" },
  { value: "\t", label: "Tabs" },
  { value: "|", label: "Vertical bars" },
] as const;

/** The first rows of a file. Settings that are null are guessed. */
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
  /** The fields as value checks take them. */
  definitions: readonly FieldDefinition[];
}

export const createImportPlan = (settings: Settings, fields: readonly CustomFieldRecord[]): ImportPlan => ({
  ...settings,
  fields,
  definitions: fields.map(({ field_key: key, removed_options: removed, ...field }) => ({ ...field, key, removed })),
});

/** The content of a row for one place, from one or several columns. */
export interface ImportCell {
  target: string;
  text: string;
  /** The value as the API takes it. Text that cannot be read stays, so that the schema refuses it. */
  value: unknown;
}
