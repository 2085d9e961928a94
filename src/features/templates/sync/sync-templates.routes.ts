import * as z from "zod";
import { workspaceApi } from "../../../http/audiences.ts";
import { createApi } from "../../../http/endpoint.ts";
import { connectionView, createConnectionBody, presentConnection } from "../../connections/connections.schemas.ts";
import { createConnectionWithTemplates, syncTemplates } from "./sync-templates.ts";
import { syncView } from "../templates.schemas.ts";

export const connectionTemplatesApi = createApi("Connections", workspaceApi);

connectionTemplatesApi.post(
  "/workspaces/:ws/connections",
  {
    name: "manage.connections.create",
    summary: "Create a connection",
    description:
      "Tidings generates the secrets that you omit, and returns them only in this response. The first connection of a channel becomes the channel's default.",
    body: createConnectionBody,
    example: { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} },
    status: 201,
    response: { connection: connectionView, secrets: z.record(z.string(), z.string()).optional() },
  },
  async (ctx, { body, origin }) => {
    const { connection, secrets } = await createConnectionWithTemplates(ctx, {
      ...body,
      messagesPerSecond: body.messages_per_second,
      isDefault: body.is_default,
    });
    return { connection: presentConnection(connection, origin), ...(Object.keys(secrets).length > 0 && { secrets }) };
  },
);

connectionTemplatesApi.post(
  "/workspaces/:ws/connections/:id/sync-templates",
  {
    name: "manage.connections.syncTemplates",
    summary: "Sync a connection's templates",
    description:
      "Copies the provider's templates to the external templates of an official connection: creates new templates, updates changed ones, and deletes those that the provider has deleted.",
    response: syncView,
    errors: ["not_found", "invalid_state", "provider_error"],
  },
  (ctx, { params }) => syncTemplates(ctx, params.id),
);
