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

const changesAtProvider: ErrorCode[] = ["invalid_state", "channel_mismatch", "media_invalid", "provider_error"];

const presentRevision = (record: TemplateRecord) => ({ template: presentTemplate(record), revision: record.revision });

export const templatesApi = createApi("Templates", publicApi);

templatesApi.get(
  "/templates",
  {
    name: "templates.list",
    tool: "read",
    summary: "List templates, newest first",
    description: "Without `limit`, returns all templates.",
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
      "Send `name` and `body` to create a local template. Unofficial connections can send it immediately. Local templates have unique names. " +
      "Send `connection_id`, `language`, `category` and `components` to submit a template to the provider of an official connection. The response has " +
      "the provider's status. An event reports the result of the provider's review. " +
      "If the provider's response is lost (502), a sync finds within two minutes whether the template exists. Repeating the request with the same " +
      "Idempotency-Key then returns the template.",
    body: createTemplateBody,
    example: { name: "Welcome", body: "Hello {{name|there}}, your order is on its way." },
    status: 201,
    response: { template: templateView },
    returnsETag: true,
    errors: [...changesAtProvider, "conflict", "not_found"],
  },
  async (ctx, { body }) => presentRevision(await createTemplate(ctx, body)),
);

templatesApi.get(
  "/templates/:id",
  {
    name: "templates.get",
    tool: "read",
    summary: "Get a template",
    description: "Returns the template's text, its variables in order, and whether it can be sent.",
    response: { template: templateView },
    returnsETag: true,
    errors: ["not_found"],
  },
  async (ctx, { params }) => presentRevision(await getTemplate(ctx, params.id)),
);

templatesApi.patch(
  "/templates/:id",
  {
    name: "templates.update",
    summary: "Change a template",
    description:
      "Changes only the fields that are sent: `name` and `body` of a local template, `category` and `components` (all of them) of an external template, which the " +
      "provider reviews again. Sent messages do not change.",
    body: updateTemplateBody,
    example: { body: "Hello {{name|there}}, your order has left." },
    response: { template: templateView },
    returnsETag: true,
    errors: [...changesAtProvider, "not_found", "conflict"],
  },
  async (ctx, { params, body }) => presentRevision(await updateTemplate(ctx, params.id, body)),
);

templatesApi.delete(
  "/templates/:id",
  {
    name: "templates.delete",
    summary: "Delete a template",
    description:
      "Deletes the template and returns it. An external template is deleted at its provider first. Sent messages stay.",
    response: { template: templateView },
    returnsETag: true,
    errors: ["not_found", "conflict", "invalid_state", "channel_mismatch", "provider_error"],
  },
  async (ctx, { params }) => presentRevision(await deleteTemplate(ctx, params.id)),
);
