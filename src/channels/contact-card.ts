// Contact cards in messages.
import * as z from "zod";

export const contactCard = z
  .object({
    name: z.object({
      formatted_name: z.string(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
    }),
    phones: z.array(
      z.object({
        phone: z.string(),
        type: z.string().optional(),
        wa_id: z.string().optional().meta({ description: "WhatsApp account of the number." }),
        user_id: z.string().optional().meta({ description: "WhatsApp's user id, in received messages." }),
      }),
    ),
    emails: z.array(z.object({ email: z.string(), type: z.string().optional() })).optional(),
    org: z
      .object({ company: z.string().optional(), department: z.string().optional(), title: z.string().optional() })
      .optional(),
    addresses: z
      .array(
        z.object({
          street: z.string().optional(),
          city: z.string().optional(),
          state: z.string().optional(),
          zip: z.string().optional(),
          country: z.string().optional(),
          country_code: z.string().optional(),
          type: z.string().optional(),
        }),
      )
      .optional(),
    urls: z.array(z.object({ url: z.string(), type: z.string().optional() })).optional(),
    birthday: z.string().optional(),
    user_id: z
      .string()
      .optional()
      .meta({ description: "WhatsApp's user id of the person on the card, in received messages." }),
    origin: z
      .string()
      .optional()
      .meta({ description: "In received messages: `contact_request` if a button requested the card." }),
  })
  .meta({ id: "ContactCard" });

export type ContactCard = z.infer<typeof contactCard>;
