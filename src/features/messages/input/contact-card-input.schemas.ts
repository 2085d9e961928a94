import * as z from "zod";
import { boundedText, emailAddress, phoneNumber, webUrl } from "../../../http/fields.ts";

export const pageUrl = webUrl("https://example.com/menu").meta({ format: "uri" });

const type = boundedText(20).optional();
const line = boundedText(200).optional();

const address = z
  .strictObject({
    street: line,
    city: line,
    state: line,
    zip: boundedText(20).optional(),
    country: line,
    country_code: boundedText(2).optional(),
    type,
  })
  .refine((sent) => Object.entries(sent).some(([name, value]) => name !== "type" && value !== undefined), {
    message: "Must have at least one line of the address.",
    params: { code: "required" },
  });

const isDate = (value: string): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
};

export const contactCardInput = z
  .strictObject({
    name: z.strictObject({
      formatted_name: boundedText(200),
      first_name: boundedText(100).optional(),
      last_name: boundedText(100).optional(),
    }),
    phones: z
      .array(
        z.strictObject({
          phone: phoneNumber({ requirePlus: false }),
          type,
          wa_id: z
            .string()
            .regex(/^\d{5,20}$/, "Must be a WhatsApp id of 5 to 20 digits.")
            .optional()
            .meta({ description: "WhatsApp account of the number. With it, the card offers to write to the person." }),
        }),
      )
      .min(1)
      .max(10),
    emails: z
      .array(z.strictObject({ email: emailAddress(), type }))
      .min(1)
      .max(10)
      .optional(),
    org: z.strictObject({ company: line, department: line, title: line }).optional(),
    addresses: z.array(address).min(1).max(10).optional(),
    urls: z
      .array(z.strictObject({ url: pageUrl, type }))
      .min(1)
      .max(10)
      .optional(),
    birthday: z
      .string()
      .refine(isDate, { message: "Must be a date, like 1999-01-23.", params: { code: "invalid_format" } })
      .optional()
      .meta({ format: "date" }),
  })
  .meta({ id: "ContactCardInput" });
