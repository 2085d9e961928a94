import * as z from "zod";
import { workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { page } from "../../http/fields.ts";
import {
  connectionChange,
  connectionView,
  listConnectionsQuery,
  presentConnection,
  updateConnectionBody,
} from "./connections.schemas.ts";
import { listConnections, requireConnection, testConnection, updateConnection } from "./connections.service.ts";

export const connectionsApi = createApi("Connections", workspaceApi);

connectionsApi.get(
  "/workspaces/:ws/connections",
  {
    name: "manage.connections.list",
    summary: "List connections, newest first",
    description: "Of each secret, the response has only the last four characters.",
    query: listConnectionsQuery,
    response: { connections: z.array(connectionView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor }, origin }) => {
    const { items, nextCursor } = page(await listConnections(ctx, limit, cursor?.[0]), limit, (row) => [row.id]);
    return { connections: items.map((row) => presentConnection(row, origin)), next_cursor: nextCursor };
  },
);

connectionsApi.get(
  "/workspaces/:ws/connections/:id",
  {
    name: "manage.connections.get",
    summary: "Get a connection",
    description:
      "Returns the connection's settings and status. Of each secret, the response has only the last four characters.",
    response: { connection: connectionView },
    errors: ["not_found"],
  },
  async (ctx, { params, origin }) => ({
    connection: presentConnection(await requireConnection(ctx, params.id), origin),
  }),
);

connectionsApi.patch(
  "/workspaces/:ws/connections/:id",
  {
    name: "manage.connections.update",
    summary: "Change a connection",
    description: "Merges `config` into the stored settings, so settings that you omit stay unchanged.",
    body: updateConnectionBody,
    example: { name: "Main number", messages_per_second: 40 },
    response: { connection: connectionView },
    errors: ["not_found"],
  },
  async (ctx, { params, body, origin }) => ({
    connection: presentConnection(await updateConnection(ctx, params.id, connectionChange(body)), origin),
  }),
);

connectionsApi.post(
  "/workspaces/:ws/connections/:id/test",
  {
    name: "manage.connections.test",
    summary: "Test a connection",
    description:
      "Calls the provider with the connection's settings. If the provider accepts them, the connection becomes `active`. Otherwise the request returns 502 with the provider's text.",
    response: { ok: z.literal(true), detail: z.string() },
    errors: ["not_found", "invalid_state", "provider_error"],
  },
  async (ctx, { params }) => ({ ok: true as const, detail: await testConnection(ctx, params.id) }),
);
