import type { FC } from "hono/jsx";
import * as z from "zod";
import type { FieldType } from "../../../features/custom-fields/custom-fields.values.ts";
import { TextArea } from "../../kit/forms/form-fields.tsx";

export const CUSTOM_FIELDS = "/settings/custom-fields";
export const NEW_CUSTOM_FIELD = "/settings/custom-fields/new";

export const typeNames = {
  text: "Text",
  number: "Number",
  boolean: "Yes or no",
  date: "Date",
  datetime: "Date and time",
  select: "Single choice",
  multi_select: "Multiple choice",
  country: "Country",
  url: "URL",
  email: "Email",
  phone: "Phone number",
} satisfies Record<FieldType, string>;

export const typeOptions = Object.entries(typeNames).map(([value, label]) => ({ value, label }));

interface OptionsProps {
  help: string;
  value?: string[];
  /** Omitted if the input may be hidden: browsers would block the form. */
  required?: boolean;
}

export const OptionsField: FC<OptionsProps> = ({ value = [], ...props }) => (
  <TextArea name="options" label="Choices" rows={5} value={value.join("\n")} {...props} />
);

/** The choices as they are typed, one per line; null if there are none. */
export const typedOptions = z
  .string()
  .transform((text) => {
    const lines = text.split("\n").map((line) => line.trim());
    const options = lines.filter((line) => line !== "");
    return options.length === 0 ? null : options;
  })
  .nullable()
  .optional();
