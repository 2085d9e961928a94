// Templates as channels hand them over and providers hold them.
import * as z from "zod";

/** A value for a template's variable; null as a name means that it goes by position. */
const templateValue = z.object({ name: z.string().nullable(), text: z.string() });

export type TemplateValue = z.infer<typeof templateValue>;

/** The header of a template, or of one of its cards, that is not text. */
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
 * The value of a button; `index` counts the template's or the card's buttons from 0. `url`: what follows the address; `copy_code`: the
 * code; `quick_reply`: the payload that comes back; `flow`: its token.
 */
const templateButton = z.object({
  index: z.number(),
  kind: z.enum(["url", "copy_code", "quick_reply", "flow"]),
  text: z.string(),
});

export type TemplateButton = z.infer<typeof templateButton>;

/** The values of one card of a carousel; `index` counts from 0. */
const templateCard = z.object({
  index: z.number(),
  header: templateHeader.nullable(),
  body: z.array(templateValue),
  buttons: z.array(templateButton),
});

export type TemplateCard = z.infer<typeof templateCard>;

/**
 * The values that a template approved by the provider is filled in with, part by part. Parts without variables are left out. It is
 * stored when a message is accepted: a retry sends the same.
 */
export const outboundTemplate = z.object({
  name: z.string(),
  language: z.string(),
  /** The values of a text header. */
  header: z.array(templateValue),
  body: z.array(templateValue),
  /** A header that is not text. */
  headerPart: templateHeader.exactOptional(),
  buttons: z.array(templateButton),
  cards: z.array(templateCard).exactOptional(),
  /** A template of category marketing may have a path of its own at the provider. */
  isMarketing: z.boolean().exactOptional(),
  /** A login code, which has a price of its own. */
  isAuthentication: z.boolean().exactOptional(),
});

export type OutboundTemplate = z.infer<typeof outboundTemplate>;

/** The parts of a template that are not its text, as answers show them: those that it does not have are left out. */
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

/** A template as the provider holds it; `components` is its own description of header, body, footer and buttons. */
export interface ProviderTemplate {
  providerId: string;
  name: string;
  language: string;
  category: string | null;
  status: TemplateStatus;
  /** The way its variables are addressed. */
  parameters: "positional" | "named";
  components: Record<string, unknown>[];
  /** The provider's rating, in its own word; null or left out where there is none. */
  quality?: string | null;
  /** The provider's reason for refusing it. */
  rejectionReason?: string | null;
}

/** The names of a template at its provider. */
export type TemplateRef = Pick<ProviderTemplate, "providerId" | "name" | "language">;

/** A template that is to be submitted. Example files in `components` are handles of `uploadExample`. */
export type TemplateDraft = Pick<ProviderTemplate, "name" | "language" | "parameters" | "components"> & {
  category: string;
};

/** A provider's answer to a submission. A null `category` is the one that was asked for. */
export interface SubmittedTemplate {
  providerId: string;
  status: TemplateStatus;
  category: string | null;
}

/** A change of a template: what is left out stays. Components are given whole, with the way their variables are addressed. */
export interface TemplateRevision {
  category?: string;
  components?: Record<string, unknown>[];
  parameters?: ProviderTemplate["parameters"];
}

/** The templates that a provider lists. Where the list is partial it may hold others. */
export interface TemplateList {
  templates: ProviderTemplate[];
  isPartial: boolean;
}

/** The provider reviewed, rated or recategorised a template. `providerId` is its own id for it. */
export interface TemplateEvent {
  type: "template";
  providerId: string;
  name: string;
  language: string;
  /** Null leaves it as it is, as do `quality` and `category` when they are null or left out. */
  status: TemplateStatus | null;
  /** The reason of a rejection. */
  reason: string | null;
  /** The provider's rating, in its own word. */
  quality?: string | null;
  category?: string | null;
  at: number;
}

/** The way of a provider that exists only in Tidings to review what was submitted to it. */
export interface ReviewIo {
  reportReview(review: TemplateEvent, afterMs: number): Promise<void>;
  now(): number;
}
