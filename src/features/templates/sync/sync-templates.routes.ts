import * as z from "zod";
import { workspaceApi } from "../../../http/audiences.ts";
import { createApi } from "../../../http/endpoint.ts";
import { connectionView, createConnectionBody, presentConnection } from "../../connections/connections.schemas.ts";
import { createConnectionWithTemplates, syncTemplates } from "./sync-templates.ts";
import { syncView } from "../templates.schemas.ts";

/** Endpoints of connections that change templates. */
export const connectionTemplatesApi = createApi("Connections", workspaceApi);

connectionTemplatesApi.post(
  "/workspaces/:ws/connections",
  {
    name: "manage.connections.create",
    summary: "Create a connection",
    description:
      "Secrets that were left out are generated and shown in this answer only. The first connection of a channel is its default.",
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
      "Makes the external templates of an official connection what its provider holds: new ones come, changed ones change, and what is gone there goes.",
    response: syncView,
    errors: ["not_found", "invalid_state", "provider_error"],
  },
  (ctx, { params }) => syncTemplates(ctx, params.id),
);
