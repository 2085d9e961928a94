import { Hono } from "hono";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { mountConsole } from "../console/console.ts";
import { authenticate } from "../features/api-keys/api-keys.middleware.ts";
import { apiKeysApi } from "../features/api-keys/api-keys.routes.ts";
import { campaignsApi, reconciliationApi } from "../features/campaigns/campaigns.routes.ts";
import { connectionsApi } from "../features/connections/connections.routes.ts";
import { contactsApi } from "../features/contacts/contacts.routes.ts";
import { conversationsApi } from "../features/conversations/conversations.routes.ts";
import { customFieldsApi } from "../features/custom-fields/custom-fields.routes.ts";
import { hookRoutes, inboundApi } from "../features/inbound/inbound.routes.ts";
import { membersApi } from "../features/members/members.routes.ts";
import { messagesApi } from "../features/messages/messages.routes.ts";
import { sandboxApi } from "../features/sandbox/sandbox.routes.ts";
import { segmentsApi } from "../features/segments/segments.routes.ts";
import { tagsApi } from "../features/tags/tags.routes.ts";
import { connectionTemplatesApi } from "../features/templates/sync-templates.routes.ts";
import { templatesApi } from "../features/templates/templates.routes.ts";
import { authenticateManager } from "../features/workspaces/workspaces.middleware.ts";
import { retirementApi, workspacesApi } from "../features/workspaces/workspaces.routes.ts";
import type { AppEnv } from "../http/app-env.ts";
import { meter } from "../http/cost.ts";
import { documentationRoutes } from "../http/docs-page.tsx";
import { respondWithError } from "../http/errors.ts";
import { mount, type Route } from "../http/mount.ts";
import { describeApi } from "../http/openapi.ts";
import { requireSecureTransport } from "../http/secure-transport.ts";
import { AppError } from "../shared/errors.ts";
import { createBaseCtx } from "./base-context.ts";
import { requireConfiguration } from "./configuration.ts";

const publicEndpoints = [
  messagesApi,
  templatesApi,
  campaignsApi,
  conversationsApi,
  contactsApi,
  tagsApi,
  customFieldsApi,
  segmentsApi,
].flatMap((api) => api.endpoints);
const managementEndpoints = [
  workspacesApi,
  membersApi,
  connectionTemplatesApi,
  connectionsApi,
  retirementApi,
  sandboxApi,
  apiKeysApi,
  inboundApi,
  reconciliationApi,
].flatMap((api) => api.endpoints);

/** The endpoints below each base path; the documentation is drawn from them. */
export const surfaces = [
  { base: "/api/v1", security: "apiKey", endpoints: publicEndpoints },
  { base: "/manage/v1", security: "operatorToken", endpoints: managementEndpoints },
] as const;

/** The documentation's text for each group of endpoints. */
const tags = {
  Messages: "Texts to one person, and how far each has come.",
  Templates: "Texts with variables: local ones, and those that a provider has approved.",
  Campaigns: "One template to many contacts: audience, schedule, pace and results.",
  Conversations: "What was said with one contact through one connection.",
  Contacts: "The people a workspace talks to, and what it knows of them.",
  Tags: "Names put on contacts, to find them by.",
  "Custom fields": "A workspace's own fields of contacts.",
  Segments: "Saved filters over contacts.",
  Workspaces: "Customers of this deployment. Each sees its own data only.",
  Members: "People who sign in to the console, and their invitations.",
  Connections: "Accounts at messaging providers, through which a workspace sends and receives.",
  Sandbox: "Plays the phone network of sandbox connections.",
  "API keys": "What a workspace's own software authenticates with.",
  Events: "Events of providers that could not be applied.",
};

export const app = new Hono<AppEnv>();

app.onError(respondWithError);
app.notFound(() => {
  throw new AppError("not_found", "There is nothing at this path. GET /docs lists what there is.");
});

// Without a referrer browsers would hide from us that a form of the console is our own.
app.use(requestId(), secureHeaders({ referrerPolicy: "same-origin", strictTransportSecurity: false }));
app.use(requireSecureTransport, async (c, next) => {
  requireConfiguration(c.env);
  const cost = c.env.EXPOSE_COST === "true" ? meter(c.env) : null;
  if (cost !== null) c.env = cost.env;
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  c.set("base", createBaseCtx(c.env, { requestId: c.var.requestId, actor: { type: "system" }, waitUntil }));
  await next();
  if (cost !== null) c.header("Server-Timing", cost.header());
});

const about = {
  success: true,
  name: "Tidings",
  description: "Messaging and contacts at the edge.",
  docs: "/docs",
  openapi: "/openapi.json",
  health: "/health",
};

/** Routes that need no key and no session. */
const openRoutes: Route[] = [
  { method: "get", path: "/", handle: async (c) => c.json(about) },
  { method: "get", path: "/health", handle: async (c) => c.json({ success: true, status: "ok" }) },
  ...documentationRoutes(() => describeApi(surfaces, tags)),
];

mount(app, "", openRoutes);
mount(app, "", hookRoutes, { megabytes: 3 });
app.use("/api/v1/*", authenticate);
app.use("/manage/v1/*", authenticateManager);
for (const { base, endpoints } of surfaces) mount(app, base, endpoints);
mountConsole(app);
