import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import type { ErrorCode } from "../../shared/errors.ts";
import {
  createTemplateBody,
  listTemplatesQuery,
  presentTemplate,
  type TemplateRecord,
  templateView,
  updateTemplateBody,
} from "./templates.schemas.ts";
import { createTemplate, deleteTemplate, getTemplate, listTemplates, updateTemplate } from "./templates.service.ts";

/** Errors of submissions to a provider. */
const changesAtProvider: ErrorCode[] = ["invalid_state", "channel_mismatch", "media_invalid", "provider_error"];

const answerTemplate = (record: TemplateRecord) => ({ template: presentTemplate(record), revision: record.revision });

export const templatesApi = createApi("Templates", publicApi);

templatesApi.get(
  "/templates",
  {
    name: "templates.list",
    tool: "read",
    summary: "List templates, newest first",
    description: "All of them when no `limit` is sent.",
    query: listTemplatesQuery,
    response: { templates: z.array(templateView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { status, source, limit, cursor } }) => {
    const rows = await listTemplates(ctx, { status, source, limit, before: cursor?.[0] });
    const { items, nextCursor } = page(rows, limit ?? rows.length, ({ id }) => [id]);
    return { templates: items.map(presentTemplate), next_cursor: nextCursor };
  },
);

templatesApi.post(
  "/templates",
  {
    name: "templates.create",
    summary: "Create a template",
    description:
      "With `name` and `body` a local one, usable at once on unofficial connections; no other local template has its name. " +
      "With `connection_id`, `language`, `category` and `components` it is submitted to the provider of an official connection, and has the " +
      "status that the provider answers; its review comes as an event. " +
      "Where the provider's answer is lost (502), a sync finds within two minutes whether it was taken; a repeat with the same " +
      "Idempotency-Key gives the template then.",
    body: createTemplateBody,
    example: { name: "Welcome", body: "Hello {{name|there}}, your order is on its way." },
    status: 201,
    response: { template: templateView },
    isRevisioned: true,
    errors: [...changesAtProvider, "conflict", "not_found"],
  },
  async (ctx, { body }) => answerTemplate(await createTemplate(ctx, body)),
);

templatesApi.get(
  "/templates/:id",
  {
    name: "templates.get",
    tool: "read",
    summary: "Get a template",
    description: "Its text, its variables in order, and whether it may be sent.",
    response: { template: templateView },
    isRevisioned: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => answerTemplate(await getTemplate(ctx, params.id)),
);

templatesApi.patch(
  "/templates/:id",
  {
    name: "templates.update",
    summary: "Change a template",
    description:
      "Only what is sent changes: `name` and `body` of a local template, `category` and `components` (all of them) of a provider's, which " +
      "reviews it anew. What has been sent with it stays as it was.",
    body: updateTemplateBody,
    example: { body: "Hello {{name|there}}, your order has left." },
    response: { template: templateView },
    isRevisioned: true,
    errors: [...changesAtProvider, "not_found", "conflict"],
  },
  async (ctx, { params, body }) => answerTemplate(await updateTemplate(ctx, params.id, body)),
);

templatesApi.delete(
  "/templates/:id",
  {
    name: "templates.delete",
    summary: "Delete a template",
    description: "First at the provider that holds it. Answers the template as it was. Its messages stay.",
    response: { template: templateView },
    isRevisioned: true,
    errors: ["not_found", "conflict", "invalid_state", "channel_mismatch", "provider_error"],
  },
  async (ctx, { params }) => answerTemplate(await deleteTemplate(ctx, params.id)),
);
