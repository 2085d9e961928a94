import { MAX_MESSAGE_CHARACTERS } from "../../shared/text.ts";
import * as z from "zod";
import { templateStatus } from "../../channels/channel-templates.ts";
import { cursorParam, iso, optionalLimitParam, boundedText, timestamp, verbatim } from "../../http/fields.ts";
import { missingParts } from "./templates.external.ts";
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
  /** Answers stored by earlier versions lack it. */
  components: z.array(z.unknown()).default([]),
  created_at: z.number(),
  updated_at: z.number(),
});

export type TemplateRecord = z.infer<typeof templateRecord>;

/** A template with all that filling it in takes. */
export const sendableTemplate = templateRecord.extend({ parameters: parameters.nullable() });

export type SendableTemplate = z.infer<typeof sendableTemplate>;

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
    sendable: z
      .boolean()
      .meta({ description: "Whether it can be sent: it is approved, and needs nothing that cannot be given yet." }),
    missing: z.array(z.string()).meta({
      description:
        "Parts that need more than text, which cannot be given yet: `header.image`, `header.video`, `header.document`, " +
        "`header.location`, `carousel`, `limited_time_offer`, or a button by its place, like `buttons.0.mpm`.",
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Template" });

export const presentTemplate = ({ components, ...record }: TemplateRecord): z.infer<typeof templateView> => ({
  ...record,
  sendable: record.status === "APPROVED" && missingParts({ components }).length === 0,
  missing: missingParts({ components }),
  created_at: iso(record.created_at),
  updated_at: iso(record.updated_at),
});

export const syncView = { created: z.int(), updated: z.int(), removed: z.int() };
