// Request bodies that Meta's template management allows. Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/templates/template-management
import * as z from "zod";

const text = (max: number) => z.string().min(1).max(max);

const component = z.union([
  z.strictObject({
    type: z.literal("HEADER"),
    format: z.literal("TEXT"),
    text: text(60),
    example: z.unknown().optional(),
  }),
  z.strictObject({
    type: z.literal("HEADER"),
    format: z.enum(["IMAGE", "VIDEO", "DOCUMENT"]),
    example: z.strictObject({ header_handle: z.array(text(5000)).length(1) }),
  }),
  z.strictObject({ type: z.literal("HEADER"), format: z.literal("LOCATION") }),
  z.looseObject({ type: z.literal("BODY") }),
  z.looseObject({ type: z.literal("FOOTER") }),
  z.strictObject({
    type: z.literal("BUTTONS"),
    buttons: z
      .array(z.looseObject({ type: text(30) }))
      .min(1)
      .max(10),
  }),
  z.strictObject({
    type: z.literal("CAROUSEL"),
    cards: z.array(z.strictObject({ components: z.array(z.looseObject({ type: text(30) })) })).max(10),
  }),
]);

/** `POST /{business_account_id}/message_templates` */
export const newTemplateBody = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: text(20),
  category: z.enum(["MARKETING", "UTILITY", "AUTHENTICATION"]),
  parameter_format: z.enum(["NAMED", "POSITIONAL"]),
  components: z.array(component).min(1),
});

/** `POST /{template_id}` */
export const changedTemplateBody = newTemplateBody
  .pick({ category: true, components: true, parameter_format: true })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "changes something");
