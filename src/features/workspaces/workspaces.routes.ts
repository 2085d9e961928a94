import * as z from "zod";
import { operatorApi, workspaceApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { idCursorParam, limitParam, page } from "../../http/fields.ts";
import { connectionView, presentConnection } from "../connections/connections.schemas.ts";
import {
  workspaceChange,
  createWorkspaceBody,
  presentWorkspace,
  updateWorkspaceBody,
  workspaceView,
} from "./workspaces.schemas.ts";
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  deleteConnection,
  updateWorkspace,
} from "./workspaces.service.ts";

export const workspacesApi = createApi("Workspaces", operatorApi);

workspacesApi.post(
  "/workspaces",
  {
    name: "manage.workspaces.create",
    summary: "Create a workspace",
    description: "A workspace is a customer of this deployment, with its own contacts, connections and keys.",
    body: createWorkspaceBody,
    example: { name: "Acme", plan: "growth" },
    status: 201,
    response: { workspace: workspaceView },
  },
  async (ctx, { body: { name, plan, time_zone: timeZone } }) => ({
    workspace: presentWorkspace(await createWorkspace(ctx, { name, plan, timeZone })),
  }),
);

workspacesApi.get(
  "/workspaces",
  {
    name: "manage.workspaces.list",
    summary: "List workspaces, newest first",
    description: "Returns every customer of this deployment.",
    query: z.strictObject({ limit: limitParam(), cursor: idCursorParam("ws") }),
    response: { workspaces: z.array(workspaceView), next_cursor: z.string().nullable() },
  },
  async (ctx, { query: { limit, cursor } }) => {
    const { items, nextCursor } = page(await listWorkspaces(ctx, limit, cursor?.[0]), limit, (row) => [row.id]);
    return { workspaces: items.map(presentWorkspace), next_cursor: nextCursor };
  },
);

workspacesApi.get(
  "/workspaces/:ws",
  {
    name: "manage.workspaces.get",
    summary: "Get a workspace",
    description: "Returns the workspace's name, plan and time zone.",
    role: "admin",
    response: { workspace: workspaceView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ workspace: presentWorkspace(await getWorkspace(ctx, params.ws)) }),
);

workspacesApi.patch(
  "/workspaces/:ws",
  {
    name: "manage.workspaces.update",
    summary: "Change a workspace",
    description: "Only the operator can change the plan. A new plan takes effect with the next request of every key.",
    role: "admin",
    body: updateWorkspaceBody,
    example: { plan: "scale" },
    response: { workspace: workspaceView },
    errors: ["not_found"],
  },
  async (ctx, { params, body }) => ({
    workspace: presentWorkspace(await updateWorkspace(ctx, params.ws, workspaceChange(body))),
  }),
);

export const connectionDeletionApi = createApi("Connections", workspaceApi);

connectionDeletionApi.delete(
  "/workspaces/:ws/connections/:id",
  {
    name: "manage.connections.delete",
    summary: "Delete a connection",
    description:
      "The connection can no longer send or receive. Its conversations stay readable, and its external templates are no longer listed.",
    response: { connection: connectionView },
    errors: ["not_found", "conflict"],
  },
  async (ctx, { params, origin }) => ({
    connection: presentConnection(await deleteConnection(ctx, params.id), origin),
  }),
);
