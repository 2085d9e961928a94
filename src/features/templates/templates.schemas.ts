import { MAX_MESSAGE_CHARACTERS } from "../../shared/text/text.ts";
import * as z from "zod";
import { documentedChoices } from "../../http/request/choices.ts";
import { type ProviderTemplate, templateStatus } from "../../channels/templates/channel-templates.ts";
import {
  idCursorParam,
  EVEN_WITH_OTHER_FAULTS,
  optionalLimitParam,
  boundedText,
  storedRevision,
  timestamp,
  verbatim,
} from "../../http/fields.ts";
import type { Fault } from "../../shared/errors.ts";
import { REQUIRED } from "../../shared/faults.ts";
import {
  providerTemplateName,
  templateCategory,
  templateComponents,
  templateLanguage,
} from "./submit/template-components.schemas.ts";
import { missingParts, parseTemplate } from "./model/parse-template.ts";
import { parseBody } from "./model/render-text.ts";
import { findComponentFaults } from "./submit/component-rules.ts";
import { iso } from "../../shared/time/iso-times.ts";

const source = z.enum(["external", "local"]).meta({
  id: "TemplateSource",
  description: "`local`: stored only in Tidings. `external`: stored and approved by a connection's provider.",
});
const parameters = z.enum(["positional", "named"]);

const body = verbatim(MAX_MESSAGE_CHARACTERS)
  .superRefine((value, issues) => {
    for (const { code, message } of parseBody(value).faults) {
      issues.addIssue({ code: "custom", message, params: { code } });
    }
  })
  .meta({
    description:
      "Variables are {{1}}, {{2}} … without gaps, or {{name}} and {{name|fallback}}. White space inside the braces is ignored.",
  });

export const localTemplateBody = z.strictObject({ name: boundedText(120), body });

const addFault = (issues: z.core.$RefinementCtx, { path, code, message }: Fault) =>
  issues.addIssue({ code: "custom", path: path.split("."), message, params: { code } });

function checkComponents(category: unknown, components: unknown, issues: z.core.$RefinementCtx): void {
  const { data } = templateComponents.safeParse(components);
  const known = templateCategory.safeParse(category).data;
  if (data === undefined || known === undefined) return;
  for (const fault of findComponentFaults(known, data)) addFault(issues, fault);
}

const components = templateComponents.meta({
  description:
    "Header, body, footer, buttons and cards in Meta's format. The example of a header's file is `{media_id}`, the id of a stored file.",
});

const externalFields = {
  connection_id: boundedText(100).meta({ description: "Official connection whose provider reviews the template." }),
  language: templateLanguage,
  category: templateCategory,
  components,
};

export const submitTemplateBody = z
  .strictObject({ name: providerTemplateName, ...externalFields })
  .superRefine((sent, issues) => checkComponents(sent.category, sent.components, issues), EVEN_WITH_OTHER_FAULTS);

export type TemplateSubmission = z.output<typeof submitTemplateBody>;

const anyTemplate = z.strictObject({
  name: boundedText(120).meta({ description: "For external templates: lowercase a–z, digits and underscores." }),
  body: body.optional().meta({ description: "Text of a local template." }),
  connection_id: externalFields.connection_id.optional(),
  language: externalFields.language.optional(),
  category: externalFields.category.optional(),
  components: externalFields.components.optional(),
});

const externalNames = ["connection_id", "language", "category", "components"] as const;

function checkKind(sent: Partial<z.input<typeof anyTemplate>>, issues: z.core.$RefinementCtx): void {
  const add = (path: string, code: string, message: string) => addFault(issues, { path, code, message });
  if (externalNames.every((name) => sent[name] === undefined)) {
    if (sent.body === undefined) add("body", "required", REQUIRED);
    return;
  }
  for (const name of externalNames) if (sent[name] === undefined) add(name, "required", REQUIRED);
  if (sent.body !== undefined)
    add("body", "unknown_field", "Must be omitted for external templates, because their text is in components.");
  for (const { message } of providerTemplateName.safeParse(sent.name).error?.issues ?? [])
    if (boundedText(120).safeParse(sent.name).success) add("name", "invalid_format", message);
  checkComponents(sent.category, sent.components, issues);
}

export const createTemplateBody = anyTemplate
  .superRefine(checkKind, EVEN_WITH_OTHER_FAULTS)
  .transform(({ name, body: text, ...external }, issues): z.output<typeof localTemplateBody> | TemplateSubmission => {
    if (text !== undefined) return { name, body: text };
    const { connection_id, language, category, components: sent } = external;
    if (connection_id !== undefined && language !== undefined && category !== undefined && sent !== undefined)
      return { name, connection_id, language, category, components: sent };
    addFault(issues, { path: "body", code: "required", message: REQUIRED });
    return z.NEVER;
  })
  .meta({
    id: "TemplatesCreateRequest",
    ...documentedChoices({ oneOf: [{ required: ["body"] }, { required: externalNames }] }),
  });

export type NewTemplate = z.output<typeof createTemplateBody>;

export const updateTemplateBody = z
  .strictObject({
    name: boundedText(120).meta({ description: "For local templates." }),
    body: body.meta({ description: "For local templates." }),
    category: templateCategory.meta({ description: "For external templates." }),
    components: components.meta({
      description: "All components of an external template. They replace the stored components.",
    }),
  })
  .partial()
  .superRefine((sent, issues) => {
    if (sent.name === undefined && sent.body === undefined)
      return checkComponents(sent.category, sent.components, issues);
    for (const path of ["category", "components"] as const) {
      const message = "A local template has a name and a body. An external template has a category and components.";
      if (sent[path] !== undefined) addFault(issues, { path, code: "invalid_value", message });
    }
  }, EVEN_WITH_OTHER_FAULTS);

export type TemplatePatch = z.output<typeof updateTemplateBody>;

export const listTemplatesQuery = z.strictObject({
  status: templateStatus.optional().meta({ description: "Only templates with this status." }),
  source: source.optional().meta({ description: "Only templates from this source." }),
  limit: optionalLimitParam,
  cursor: idCursorParam("tpl"),
});

export const templateRecord = z.object({
  id: z.string(),
  name: z.string(),
  body: z.string(),
  status: templateStatus,
  source,
  connection_id: z.string().nullable(),
  language: z.string().nullable(),
  category: z.string().nullable(),
  variables: z.array(z.string()),
  /**
   * This field and the next three have defaults, because replays that an earlier version stored do not contain them.
   */
  components: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: parameters.nullable().default(null),
  quality: z.string().nullable().default(null),
  rejection_reason: z.string().nullable().default(null),
  created_at: z.number(),
  updated_at: z.number(),
  revision: storedRevision,
});

export type TemplateRecord = z.infer<typeof templateRecord>;
/** Every stored row has a revision. A replay from an earlier version might not have one. */
export type TemplateRow = TemplateRecord & { revision: number };

export interface ExternalTemplate extends ProviderTemplate {
  id: string;
  body: string;
  variables: string[];
}

export const templateView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    body: z.string(),
    status: templateStatus,
    source,
    connection_id: z.string().nullable().meta({ description: "Null for local templates." }),
    language: z.string().nullable(),
    category: z.string().nullable(),
    variables: z
      .array(z.string())
      .meta({ description: "Names of the variables. If you send values as a list, use this order." }),
    components: z.array(z.unknown()).meta({
      description:
        "Header, body, footer, buttons and cards as the provider stores them, in Meta's format. Empty for local templates.",
    }),
    quality: z.string().nullable().meta({ description: "Provider's rating: GREEN, YELLOW, RED or UNKNOWN." }),
    rejection_reason: z.string().nullable().meta({ description: "Provider's reason for the rejection." }),
    sendable: z
      .boolean()
      .meta({ description: "True if the template is approved and Tidings supports all its values." }),
    missing: z.array(z.string()).meta({
      description:
        "Values that a send requires besides `variables`: a header, such as `header.image` or `header.location`, and values of cards, " +
        "such as `cards.0.header.video`, `cards.1.body.1` or `cards.1.buttons.0`. An approved template that is not `sendable` " +
        "requires values that Tidings does not support yet, such as `limited_time_offer` or `buttons.0.mpm`.",
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Template" });

export function presentTemplate(template: TemplateRecord): z.infer<typeof templateView> {
  const { parameters: _, revision: __, ...fields } = template;
  const parsed = parseTemplate(template);
  return {
    ...fields,
    sendable: template.status === "APPROVED" && parsed.unsupported.length === 0,
    missing: missingParts(parsed),
    created_at: iso(template.created_at),
    updated_at: iso(template.updated_at),
  };
}

export const syncView = { created: z.int(), updated: z.int(), removed: z.int() };
