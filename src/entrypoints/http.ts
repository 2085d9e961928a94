import { Hono } from "hono";
import { authenticate, identifyKey, requirePermission } from "../features/api-keys/api-keys.middleware.ts";
import { apiKeysApi } from "../features/api-keys/api-keys.routes.ts";
import { callerEndpoints } from "../features/api-keys/describe-caller.routes.ts";
import { campaignsApi, reconciliationApi } from "../features/campaigns/campaigns.routes.ts";
import { cannedRepliesApi } from "../features/canned-replies/canned-replies.routes.ts";
import { campaignDraftsApi } from "../features/campaigns/edit/campaign-drafts.routes.ts";
import { connectionsApi } from "../features/connections/connections.routes.ts";
import { bulkContactsApi } from "../features/contacts/bulk/bulk.routes.ts";
import { contactsApi } from "../features/contacts/contacts.routes.ts";
import { conversationsApi } from "../features/conversations/conversations.routes.ts";
import { customFieldsApi } from "../features/custom-fields/custom-fields.routes.ts";
import { eventsApi } from "../features/event-feed/event-feed.routes.ts";
import { hookRoutes, inboundApi } from "../features/inbound/inbound.routes.ts";
import { mediaApi, mediaLinkRoutes } from "../features/media/media.routes.ts";
import { teamApi } from "../features/members/list-members.routes.ts";
import { membersApi } from "../features/members/members.routes.ts";
import { messagesApi } from "../features/messages/messages.routes.ts";
import { contactMergesApi } from "../features/messages/merge/merge-request.routes.ts";
import { logRequests } from "../features/request-log/request-log.middleware.ts";
import { requestLogApi } from "../features/request-log/request-log.routes.ts";
import { sandboxApi } from "../features/sandbox/sandbox.routes.ts";
import { segmentsApi } from "../features/segments/segments.routes.ts";
import { statisticsApi } from "../features/statistics/statistics.routes.ts";
import { tagsApi } from "../features/tags/tags.routes.ts";
import { connectionTemplatesApi } from "../features/templates/sync-templates.routes.ts";
import { templatesApi } from "../features/templates/templates.routes.ts";
import { webhooksApi } from "../features/webhooks/webhooks.routes.ts";
import { authenticateManager } from "../features/workspaces/workspaces.middleware.ts";
import { retirementApi, workspacesApi } from "../features/workspaces/workspaces.routes.ts";
import type { AppEnv } from "../http/app-env.ts";
import { documentationRoutes } from "../http/documentation.ts";
import { requireOwnOrigin } from "../http/forgery.ts";
import { ICON_PATH, iconResponse } from "../http/icon.ts";
import { mount, type Route } from "../http/mount.ts";
import { FixedPathsFirstRouter } from "../http/router.ts";
import { lazily } from "../shared/lazily.ts";
import { respondWithAbout } from "./about.ts";
import { prepareRequests } from "./prepare-requests.ts";

const publicEndpoints = [
  callerEndpoints,
  messagesApi,
  templatesApi,
  cannedRepliesApi,
  campaignsApi,
  campaignDraftsApi,
  conversationsApi,
  teamApi,
  mediaApi,
  contactsApi,
  contactMergesApi,
  bulkContactsApi,
  tagsApi,
  customFieldsApi,
  segmentsApi,
  eventsApi,
  webhooksApi,
].flatMap((api) => api.endpoints);
const managementEndpoints = [
  workspacesApi,
  membersApi,
  connectionTemplatesApi,
  connectionsApi,
  retirementApi,
  sandboxApi,
  apiKeysApi,
  requestLogApi,
  statisticsApi,
  inboundApi,
  reconciliationApi,
].flatMap((api) => api.endpoints);

/** The endpoints below each base path; the documentation is drawn from them. */
export const surfaces = [
  { base: "/api/v1", security: "apiKey", endpoints: publicEndpoints },
  { base: "/manage/v1", security: "operatorToken", endpoints: managementEndpoints },
] as const;

const readingCalls = publicEndpoints.filter(
  ({ method, tool, mayChangeNothing }) => method === "post" && (tool === "read" || mayChangeNothing),
);

/** Fits the paths of calls with a body that may change nothing; those that change something with some bodies look themselves. */
const readingPaths = new RegExp(
  `^/api/v1(?:${readingCalls.map(({ path }) => path.replace(/:\w+/g, "[^/]+")).join("|")})$`,
);

/** Routes that need no key and no session. */
const openRoutes: Route[] = [
  { method: "get", path: "/", handle: respondWithAbout },
  { method: "get", path: "/health", handle: async (c) => c.json({ success: true, status: "ok" }) },
  { method: "get", path: ICON_PATH, handle: async (c) => iconResponse(c.req.query("unread") !== undefined) },
  ...documentationRoutes(surfaces, async () => (await import("../documentation/document-parts.ts")).documentParts),
];

const loadMcp = lazily(async () => {
  const { createMcp } = await import("../http/mcp.ts");
  const { mcpInstructions } = await import("../documentation/mcp-instructions.ts");
  return createMcp({
    endpoints: publicEndpoints,
    base: "/api/v1",
    instructions: mcpInstructions,
    requirePermission: (c) => requirePermission(c, readingPaths),
  });
});

const mcpRoute: Route = { method: "post", path: "/mcp", handle: async (c) => (await loadMcp())(c) };

/** Loaded with its first request: its pages are much code that the API does not need. */
export const loadConsole = lazily(async () => {
  const { mountConsole } = await import("../console/console.ts");
  const consoleApp = new Hono<AppEnv>();
  prepareRequests(consoleApp);
  mountConsole(consoleApp);
  return consoleApp;
});

export const app = new Hono<AppEnv>({ router: new FixedPathsFirstRouter() });
// First, since the console prepares its requests itself.
app.all("/console/*", async (c) => (await loadConsole()).fetch(c.req.raw, c.env, c.executionCtx));
prepareRequests(app);
mount(app, "", openRoutes);
app.use("/mcp", logRequests);
app.post("/mcp", async (c, next) => {
  requireOwnOrigin(c);
  await identifyKey(c);
  await next();
});
mount(app, "", [mcpRoute]);
mount(app, "", hookRoutes, { megabytes: 3 });
mount(app, "", mediaLinkRoutes);
app.use("/api/v1/*", logRequests, authenticate(readingPaths));
app.use("/manage/v1/*", authenticateManager);
for (const { base, endpoints } of surfaces) mount(app, base, endpoints);
