// Templates as channels hand them over and providers hold them.
import * as z from "zod";

/** A value for a template's variable; null as a name means that it goes by position. */
export interface TemplateValue {
  name: string | null;
  text: string;
}

/** The values that a template approved by the provider is filled in with, part by part. Parts without variables are left out. */
export interface OutboundTemplate {
  name: string;
  language: string;
  header: TemplateValue[];
  body: TemplateValue[];
  /** `index` counts the template's buttons from 0. */
  buttons: { index: number; kind: "url" | "copy_code"; text: string }[];
}

export const templateStatus = z.enum(["APPROVED", "PENDING", "REJECTED"]);

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
}
