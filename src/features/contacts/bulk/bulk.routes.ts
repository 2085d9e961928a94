import * as z from "zod";
import { publicApi } from "../../../http/audiences.ts";
import { createApi } from "../../../http/endpoint.ts";
import { page } from "../../../http/fields.ts";
import { bulkBody, jobView, listJobsQuery, presentJob } from "./bulk.schemas.ts";
import { getJob, listJobs } from "./list-jobs.ts";
import { startBulk } from "./start-bulk.ts";

export const bulkContactsApi = createApi("Contacts", publicApi);

bulkContactsApi.post(
  "/contacts/bulk",
  {
    name: "contacts.bulkUpdate",
    summary: "Edit contacts in bulk",
    description:
      "Starts a job that edits the contacts in steps, newest first, and returns the job immediately. `jobs.get` returns its progress. " +
      "With `filter`, the job excludes contacts created after its start, and checks the filter again when it reaches each contact. " +
      "A workspace runs one job at a time. Each contact changes once and gets one event, whose actor is the caller.",
    body: bulkBody,
    example: { filter: { status: "hot" as const }, action: "add_tags" as const, tags: ["Newsletter"] },
    status: 202,
    response: { job: jobView },
    errors: ["not_found"],
  },
  async (ctx, { body }) => ({ job: presentJob(await startBulk(ctx, body)) }),
);

bulkContactsApi.get(
  "/jobs",
  {
    name: "jobs.list",
    summary: "List jobs, newest first",
    description: "Returns bulk edits of the last 30 days.",
    query: listJobsQuery,
    response: { jobs: z.array(jobView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { status, limit, cursor } }) => {
    const { items, nextCursor } = page(await listJobs(ctx, { status, limit, before: cursor?.[0] }), limit, ({ id }) => [
      id,
    ]);
    return { jobs: items.map(presentJob), next_cursor: nextCursor };
  },
);

bulkContactsApi.get(
  "/jobs/:id",
  {
    name: "jobs.get",
    summary: "Get a job",
    description: "Returns the progress of a bulk edit.",
    response: { job: jobView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ job: presentJob(await getJob(ctx, params.id)) }),
);
