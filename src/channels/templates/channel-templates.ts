import * as z from "zod";
import { isMediaContent, type OutboundContent } from "../content.ts";

export const templateValue = z.object({ name: z.string().nullable(), text: z.string() });

export type TemplateValue = z.infer<typeof templateValue>;

export const templateHeader = z.union([
  z.object({ type: z.enum(["image", "video", "document"]), media_id: z.string(), filename: z.string().optional() }),
  z.object({
    type: z.literal("location"),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
]);

export type TemplateHeader = z.infer<typeof templateHeader>;

/**
 * The kinds of buttons in Meta's templates. `takes` is the kind of value that a message sends for the button, or null
 * if it sends no value. If `isRequired` is true, the message must send a value, because the template has no default for
 * it.
 */
export const buttonKinds = {
  QUICK_REPLY: { takes: "quick_reply", isRequired: false },
  URL: { takes: "url", isRequired: true },
  COPY_CODE: { takes: "copy_code", isRequired: true },
  FLOW: { takes: "flow", isRequired: false },
  OTP: { takes: "url", isRequired: true },
  PHONE_NUMBER: { takes: null, isRequired: false },
  VOICE_CALL: { takes: null, isRequired: false },
  CATALOG: { takes: null, isRequired: false },
  REQUEST_CONTACT_INFO: { takes: null, isRequired: false },
} as const;

/**
 * `text` is the value for the button: the end of a link's URL, the code to copy, the payload of a quick reply, or the
 * token of a flow. `index` is the button's position in the template or card, starting at 0.
 */
const templateButton = z.object({
  index: z.number(),
  kind: z.enum(Object.values(buttonKinds).flatMap(({ takes }) => takes ?? [])),
  text: z.string(),
});

export type TemplateButton = z.infer<typeof templateButton>;

const templateCard = z.object({
  index: z.number(),
  header: templateHeader.nullable(),
  body: z.array(templateValue),
  buttons: z.array(templateButton),
});

export type TemplateCard = z.infer<typeof templateCard>;

export const outboundTemplate = z.object({
  name: z.string(),
  language: z.string(),
  header: z.array(templateValue),
  body: z.array(templateValue),
  headerPart: templateHeader.exactOptional(),
  buttons: z.array(templateButton),
  cards: z.array(templateCard).exactOptional(),
  isMarketing: z.boolean().exactOptional(),
  isAuthentication: z.boolean().exactOptional(),
});

export type OutboundTemplate = z.infer<typeof outboundTemplate>;

export function mediaIdsOf({
  content,
  template,
}: {
  content?: OutboundContent | undefined;
  template?: OutboundTemplate | undefined;
}): string[] {
  if (content !== undefined && isMediaContent(content)) return [content.content.media_id];
  return [template?.headerPart, ...(template?.cards ?? []).map(({ header }) => header)].flatMap((header) =>
    header && header.type !== "location" ? [header.media_id] : [],
  );
}

export const presentTemplateParts = <H, B, C>({
  name,
  language,
  headerPart,
  buttons = [],
  cards = [],
}: {
  name: string;
  language: string;
  headerPart?: H | undefined;
  buttons?: B[] | undefined;
  cards?: C[] | undefined;
}) => ({
  name,
  language,
  ...(headerPart !== undefined && { header: headerPart }),
  ...(buttons.length > 0 && { buttons }),
  ...(cards.length > 0 && { cards }),
});

export const templateStatus = z
  .enum(["APPROVED", "PENDING", "REJECTED"])
  .meta({ id: "TemplateStatus", description: "Only `APPROVED` templates can be sent." });

export type TemplateStatus = z.infer<typeof templateStatus>;

export interface ProviderTemplate {
  providerId: string;
  name: string;
  language: string;
  category: string | null;
  status: TemplateStatus;
  parameters: "positional" | "named";
  components: Record<string, unknown>[];
  quality?: string | null;
  rejectionReason?: string | null;
}

export type TemplateRef = Pick<ProviderTemplate, "providerId" | "name" | "language">;

/** If the template has an example file, `components` contains the handle that `uploadExample` returned for it. */
export type TemplateDraft = Pick<ProviderTemplate, "name" | "language" | "parameters" | "components"> & {
  category: string;
};

/** `category` is null unless Meta assigned a different category than Tidings requested. */
export interface SubmittedTemplate {
  providerId: string;
  status: TemplateStatus;
  category: string | null;
}

export interface TemplateRevision {
  category?: string;
  components?: Record<string, unknown>[];
  parameters?: ProviderTemplate["parameters"];
}

export interface TemplateList {
  templates: ProviderTemplate[];
  isPartial: boolean;
}
