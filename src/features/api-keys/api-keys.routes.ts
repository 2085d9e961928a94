import * as z from "zod";
import { workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  apiKeyView,
  createApiKeyBody,
  listApiKeysQuery,
  presentApiKey,
  settingsOf,
  updateApiKeyBody,
} from "./api-keys.schemas.ts";
import { createApiKey, getApiKey, listApiKeys, revokeApiKey, updateApiKey } from "./api-keys.service.ts";

export const apiKeysApi = createApi("API keys", workspaceApi);

apiKeysApi.post(
  "/workspaces/:ws/api-keys",
  {
    name: "manage.apiKeys.create",
    summary: "Create an API key",
    description: "Returns the key itself. Store the key, because no other response contains it.",
    body: createApiKeyBody,
    example: {
      name: "Shop",
      connection_id: "conn_01kb9r5d8g2f4s6j9a1z3w7xke",
      rate_limit: { requests: 100, window_seconds: 60 },
    },
    status: 201,
    response: { api_key: apiKeyView, key: z.string() },
    errors: ["not_found"],
  },
  async (ctx, { body }) => {
    const { apiKey, key } = await createApiKey(ctx, {
      ...settingsOf(body),
      name: body.name,
      connectionId: body.connection_id,
      readOnly: body.read_only ?? false,
    });
    return { api_key: presentApiKey(apiKey), key };
  },
);

apiKeysApi.get(
  "/workspaces/:ws/api-keys",
  {
    name: "manage.apiKeys.list",
    summary: "List API keys, newest first",
    description: "Includes expired and revoked keys. The response does not contain the keys themselves.",
    query: listApiKeysQuery,
    response: { api_keys: z.array(apiKeyView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listApiKeys(ctx, limit, cursor?.[0]), limit, (row) => [row.id]);
    return { api_keys: items.map(presentApiKey), next_cursor: nextCursor };
  },
);

apiKeysApi.get(
  "/workspaces/:ws/api-keys/:id",
  {
    name: "manage.apiKeys.get",
    summary: "Get an API key",
    description: "Returns the key's settings, and the minute in which it was last used.",
    response: { api_key: apiKeyView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ api_key: presentApiKey(await getApiKey(ctx, params.id)) }),
);

apiKeysApi.patch(
  "/workspaces/:ws/api-keys/:id",
  {
    name: "manage.apiKeys.update",
    summary: "Change an API key",
    description: "The change applies to the key's next request.",
    body: updateApiKeyBody,
    example: { name: "Shop, read only", read_only: true },
    response: { api_key: apiKeyView },
    errors: ["not_found", "invalid_state"],
  },
  async (ctx, { params, body }) => ({ api_key: presentApiKey(await updateApiKey(ctx, params.id, settingsOf(body))) }),
);

apiKeysApi.post(
  "/workspaces/:ws/api-keys/:id/revoke",
  {
    name: "manage.apiKeys.revoke",
    summary: "Revoke an API key",
    description: "The key's next request is rejected. A revoked key cannot be restored.",
    response: { api_key: apiKeyView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ api_key: presentApiKey(await revokeApiKey(ctx, params.id)) }),
);
