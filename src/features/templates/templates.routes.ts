import * as z from "zod";
import { createApi, publicApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  createTemplateBody,
  listTemplatesQuery,
  presentTemplate,
  templateView,
  updateTemplateBody,
} from "./templates.schemas.ts";
import { createTemplate, deleteTemplate, getTemplate, listTemplates, updateTemplate } from "./templates.service.ts";

export const templatesApi = createApi("Templates", publicApi);

templatesApi.get(
  "/templates",
  {
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
    summary: "Create a local template",
    description: "Usable at once, on unofficial connections. Its name differs from that of any other local template.",
    body: createTemplateBody,
    example: { name: "Welcome", body: "Hello {{name|there}}, your order is on its way." },
    status: 201,
    response: { template: templateView },
    errors: ["conflict"],
  },
  async (ctx, { body }) => ({ template: presentTemplate(await createTemplate(ctx, body)) }),
);

templatesApi.get(
  "/templates/:id",
  {
    summary: "Get a template",
    description: "Its text, its variables in order, and whether it may be sent.",
    response: { template: templateView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ template: presentTemplate(await getTemplate(ctx, params.id)) }),
);

templatesApi.patch(
  "/templates/:id",
  {
    summary: "Change a local template",
    description: "Only what is sent changes. What has been sent with it stays as it was.",
    body: updateTemplateBody,
    example: { body: "Hello {{name|there}}, your order has left." },
    response: { template: templateView },
    errors: ["not_found", "conflict", "invalid_state"],
  },
  async (ctx, { params, body }) => ({ template: presentTemplate(await updateTemplate(ctx, params.id, body)) }),
);

templatesApi.delete(
  "/templates/:id",
  {
    summary: "Delete a local template",
    description: "Answers the template as it was. Its messages stay.",
    response: { template: templateView },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params }) => ({ template: presentTemplate(await deleteTemplate(ctx, params.id)) }),
);
