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
    summary: "Change many contacts",
    description:
      "Starts a job that goes through the contacts in steps, the newest first, and answers it at once; `jobs.get` shows how far it is. " +
      "With `filter`, contacts that are created later are left out, and whether one matches is seen when its turn comes. " +
      "Jobs of a workspace run one after the other. Each contact is changed once, with an event of its own whose actor is the caller.",
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
    description: "Actions on many contacts, of the last 30 days.",
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
    description: "How far an action on many contacts is.",
    response: { job: jobView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ job: presentJob(await getJob(ctx, params.id)) }),
);
