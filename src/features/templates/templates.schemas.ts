import { MAX_MESSAGE_CHARACTERS } from "../../shared/text.ts";
import * as z from "zod";
import { templateStatus } from "../../channels/channel-templates.ts";
import { cursorParam, iso, optionalLimitParam, boundedText, timestamp, verbatim } from "../../http/fields.ts";
import { missingParts, partNeeds } from "./templates.parts.ts";
import { parseBody } from "./templates.render.ts";

const source = z.enum(["external", "local"]);
const parameters = z.enum(["positional", "named"]);

const body = verbatim(MAX_MESSAGE_CHARACTERS)
  .superRefine((value, issues) => {
    for (const { code, message } of parseBody(value).faults) {
      issues.addIssue({ code: "custom", message, params: { code } });
    }
  })
  .meta({
    description:
      "Variables are {{1}}, {{2}} … without gaps, or {{name}} and {{name|fallback}}; white space inside the braces is ignored.",
  });

export const createTemplateBody = z.strictObject({ name: boundedText(120), body }).meta({ id: "TemplateCreate" });
export const updateTemplateBody = z.strictObject({ name: boundedText(120), body }).partial();

export const listTemplatesQuery = z.strictObject({
  status: templateStatus.optional(),
  source: source.optional(),
  limit: optionalLimitParam,
  cursor: cursorParam(z.tuple([z.string()])),
});

/** A template as statements give it. */
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
  /** Answers stored by earlier versions lack it, as they do the next three. */
  components: z.array(z.unknown()).default([]),
  parameters: parameters.nullable().default(null),
  quality: z.string().nullable().default(null),
  rejection_reason: z.string().nullable().default(null),
  created_at: z.number(),
  updated_at: z.number(),
});

export type TemplateRecord = z.infer<typeof templateRecord>;

export const templateView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    body: z.string(),
    status: templateStatus,
    source: source.meta({ description: "`external`: held and approved by a connection's provider." }),
    connection_id: z.string().nullable().meta({ description: "Null for local ones." }),
    language: z.string().nullable(),
    category: z.string().nullable(),
    variables: z.array(z.string()).meta({ description: "Their names, in the order of a list of values." }),
    components: z.array(z.unknown()).meta({
      description:
        "Header, body, footer, buttons and cards as the provider holds them, in Meta's form. Empty for local ones.",
    }),
    quality: z.string().nullable().meta({ description: "The provider's rating: GREEN, YELLOW, RED or UNKNOWN." }),
    rejection_reason: z.string().nullable().meta({ description: "The provider's reason for refusing it." }),
    sendable: z
      .boolean()
      .meta({ description: "Whether it can be sent: it is approved, and needs nothing that cannot be given yet." }),
    missing: z.array(z.string()).meta({
      description:
        "What a send has to give besides `variables`: a header, like `header.image` or `header.location`, and what cards want, " +
        "like `cards.0.header.video`, `cards.1.body.1` or `cards.1.buttons.0`. A template that is not `sendable` though it is approved " +
        "needs what cannot be given yet, like `limited_time_offer` or `buttons.0.mpm`.",
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Template" });

export const presentTemplate = ({ parameters: kind, ...record }: TemplateRecord): z.infer<typeof templateView> => ({
  ...record,
  sendable: record.status === "APPROVED" && partNeeds({ ...record, parameters: kind }).impossible.length === 0,
  missing: missingParts({ ...record, parameters: kind }),
  created_at: iso(record.created_at),
  updated_at: iso(record.updated_at),
});

export const syncView = { created: z.int(), updated: z.int(), removed: z.int() };
