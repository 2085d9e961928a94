import * as z from "zod";
import { anyOf, documentedChoices, oneOf, requireOneOf } from "../../../http/request/choices.ts";
import { boundedText, flagParam, idCursorParam, limitParam, recordId, timestamp } from "../../../http/fields.ts";
import { roles } from "../../../shared/access/actor.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { workspaceRef } from "../../../shared/access/workspace.ts";
import { contactStatus, searchedFields } from "../contact-fields.schemas.ts";
import { contactDetails } from "../contacts.schemas.ts";
import type { ContactFilter } from "../search/search-contacts.sql.ts";
import { iso, isoOrNull } from "../../../shared/time/iso-times.ts";

const MAX_BULK_IDS = 1000;

const bulkActions = ["add_tags", "remove_tags", "set", "archive", "opt_out"] as const;

export type BulkAction = (typeof bulkActions)[number];

const bulkFilter = z
  .strictObject({
    search: boundedText(100).meta({ description: `Searches ${searchedFields("and")}.` }),
    tag: boundedText(60).meta({ description: "Only contacts with this tag, by name." }),
    source: boundedText(60),
    status: contactStatus,
    archived: z.union([z.boolean(), flagParam]).meta({
      description:
        "`true` (a boolean or a string) selects only archived contacts. By default, only active contacts are selected.",
    }),
  })
  .partial()
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
    message: "Must contain at least one of search, tag, source, status and archived.",
    params: { code: "required" },
  })
  .meta(documentedChoices(anyOf(["search", "tag", "source", "status", "archived"])));

const sharedDetails = z
  .strictObject(contactDetails)
  .omit({ phone: true, email: true, is_unsubscribed: true })
  .partial();

const requiredFields: Record<BulkAction, "tags" | "set" | null> = {
  add_tags: "tags",
  remove_tags: "tags",
  set: "set",
  archive: null,
  opt_out: null,
};

const targets = ["ids", "filter"] as const;

const actionShapes = Array.from(
  Map.groupBy(bulkActions, (action) => requiredFields[action]),
  ([field, actions]) => ({
    required: ["action", ...(field === null ? [] : [field])],
    properties: { action: { type: "string" as const, enum: actions } },
  }),
);

export const bulkBody = z
  .strictObject({
    ids: z.array(recordId).min(1).max(MAX_BULK_IDS).optional().meta({ description: "Ids of the contacts." }),
    filter: bulkFilter
      .optional()
      .meta({ description: "All contacts that currently match these query parameters of `contacts.list`." }),
    action: z.enum(bulkActions),
    tags: z
      .array(boundedText(60))
      .min(1)
      .max(50)
      .optional()
      .meta({ description: "Tag names, for `add_tags` and `remove_tags`." }),
    set: sharedDetails
      .refine((set) => Object.values(set).some((value) => value !== undefined), {
        message: "Must have at least one field.",
        params: { code: "required" },
      })
      .optional()
      .meta({ description: "Fields to change, for `set`. Null clears a field." }),
  })
  .superRefine(requireOneOf(targets))
  .superRefine(({ action, tags, set }, issues) => {
    const add = (path: string, code: string, message: string) =>
      issues.addIssue({ code: "custom", path: [path], message, params: { code } });
    for (const [name, value] of [["tags", tags] as const, ["set", set] as const]) {
      if (requiredFields[action] === name && value === undefined)
        add(name, "required", `The action "${action}" requires this field.`);
      if (requiredFields[action] !== name && value !== undefined)
        add(name, "invalid_value", `${action} does not accept ${name}.`);
    }
  })
  .meta(documentedChoices(oneOf(targets), { oneOf: actionShapes }));

export type BulkInput = z.output<typeof bulkBody>;

const jobStatus = z.enum(["running", "completed", "failed"]).meta({
  id: "JobStatus",
  description:
    "`failed`: the job stopped, and `error` has the reason. Contacts that the job had already changed stay changed.",
});

const jobError = z.strictObject({ code: z.string(), message: z.string() });

export type JobError = z.infer<typeof jobError>;

export const jobView = z
  .strictObject({
    id: z.string(),
    action: z.enum(bulkActions),
    status: jobStatus,
    total: z
      .int()
      .meta({ description: "Number of contacts to process. Counted at the start, and corrected when the job ends." }),
    done: z.int().meta({
      description:
        "Number of contacts that now have the requested values, including contacts that had these values before.",
    }),
    failed: z.int().meta({
      description:
        "Number of contacts that could not be changed: merged into another contact during the job, or already at 50 tags.",
    }),
    error: jobError.nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: "Job" });

export const jobRecord = z.object({ ...jobView.shape, created_at: z.number(), finished_at: z.number().nullable() });

export type JobRecord = z.infer<typeof jobRecord>;

export const presentJob = ({ created_at, finished_at, ...job }: JobRecord): z.infer<typeof jobView> => ({
  ...job,
  created_at: iso(created_at),
  finished_at: isoOrNull(finished_at),
});

export const listJobsQuery = z.strictObject({
  status: jobStatus.optional().meta({ description: "Only jobs with this status." }),
  limit: limitParam(),
  cursor: idCursorParam("job"),
});

const filterTarget = z.object({
  filter: z.object({
    search: z.string().optional(),
    source: z.string().optional(),
    status: z.string().optional(),
    archived: z.boolean(),
    /** Undefined if the filter has no tag. Null if the tag did not exist when the job started. */
    tagNumber: z.number().nullable().optional(),
  }),
});

const jobTarget = z.union([z.object({ seqs: z.array(z.number()) }), filterTarget]);

export type JobTarget = z.infer<typeof jobTarget>;

const textsByName = z.record(z.string(), z.string().nullable());

/**
 * `set` contains new values of columns. `folded` and `values` are merged into the JSON columns `folded` and
 * `custom_fields`, where a null removes the entry.
 */
export const jobPatch = z.object({ set: textsByName, folded: textsByName, values: z.record(z.string(), z.unknown()) });

export type JobPatch = z.infer<typeof jobPatch>;

export const EMPTY_PATCH: JobPatch = { set: {}, folded: {}, values: {} };

const jobChange = jobPatch.extend({ tags: z.array(z.number()) });

const jobActor = z.discriminatedUnion("type", [
  z.object({ type: z.literal("api_key"), id: z.string(), connectionId: z.string() }),
  z.object({
    type: z.literal("member"),
    userId: z.string(),
    role: z.enum(roles),
    connectionId: z.string().nullable(),
  }),
  z.object({ type: z.literal("system") }),
]);

export const runningJob = z.object({
  id: z.string(),
  action: z.enum(bulkActions),
  target: fromJson(jobTarget),
  change: fromJson(jobChange),
  actor: fromJson(jobActor),
  cursor: z.number(),
  /** Null if the filter has no tag or its tag does not exist. */
  tagKey: z.string().nullable(),
});

export type RunningJob = z.infer<typeof runningJob>;

export const filterJob = runningJob.pick({ id: true, tagKey: true }).extend({ target: fromJson(filterTarget) });

export type FilterJob = z.infer<typeof filterJob>;

export function contactFilterOfJob({ target, tagKey }: Pick<FilterJob, "target" | "tagKey">): ContactFilter | null {
  const { tagNumber, ...filter } = target.filter;
  return tagNumber !== undefined && tagKey === null ? null : { ...filter, tagKey: tagKey ?? undefined };
}

export const runJobsMessage = z.object({ v: z.literal(1), workspace: workspaceRef });

export type RunJobsMessage = z.infer<typeof runJobsMessage>;
