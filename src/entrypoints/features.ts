import type { Api } from "../http/openapi/openapi.ts";

export interface Feature {
  paths: string[];
  load(): Promise<Pick<Api, "endpoints">>;
}

const publicFeatures: Feature[] = [
  {
    paths: ["/me"],
    load: async () => (await import("../features/api-keys/describe-caller.routes.ts")).callerEndpoints,
  },
  {
    paths: ["/messages/*", "/conversations/*", "/templates/*"],
    load: async () => (await import("../features/messages/messages.routes.ts")).messagesApi,
  },
  {
    paths: ["/templates/*"],
    load: async () => (await import("../features/templates/templates.routes.ts")).templatesApi,
  },
  {
    paths: ["/canned-replies/*"],
    load: async () => (await import("../features/canned-replies/canned-replies.routes.ts")).cannedRepliesApi,
  },
  {
    paths: ["/campaigns/*"],
    load: async () => (await import("../features/campaigns/campaigns.routes.ts")).campaignsApi,
  },
  {
    paths: ["/campaigns/*"],
    load: async () => (await import("../features/campaigns/edit/campaign-drafts.routes.ts")).campaignDraftsApi,
  },
  {
    paths: ["/conversations/*"],
    load: async () => (await import("../features/conversations/conversations.routes.ts")).conversationsApi,
  },
  { paths: ["/members/*"], load: async () => (await import("../features/members/members.routes.ts")).teamApi },
  { paths: ["/media/*"], load: async () => (await import("../features/media/media.routes.ts")).mediaApi },
  { paths: ["/contacts/*"], load: async () => (await import("../features/contacts/contacts.routes.ts")).contactsApi },
  {
    paths: ["/contacts/:id/merge"],
    load: async () => (await import("../features/people/merge/merge-on-request.routes.ts")).contactMergesApi,
  },
  {
    paths: ["/contacts/bulk", "/jobs/*"],
    load: async () => (await import("../features/contacts/bulk/bulk.routes.ts")).bulkContactsApi,
  },
  { paths: ["/tags/*"], load: async () => (await import("../features/tags/tags.routes.ts")).tagsApi },
  {
    paths: ["/custom-fields/*"],
    load: async () => (await import("../features/custom-fields/custom-fields.routes.ts")).customFieldsApi,
  },
  { paths: ["/segments/*"], load: async () => (await import("../features/segments/segments.routes.ts")).segmentsApi },
  { paths: ["/events/*"], load: async () => (await import("../features/event-feed/event-feed.routes.ts")).eventsApi },
  { paths: ["/webhooks/*"], load: async () => (await import("../features/webhooks/webhooks.routes.ts")).webhooksApi },
];

const loadWorkspaces = () => import("../features/workspaces/workspaces.routes.ts");

const managementFeatures: Feature[] = [
  { paths: ["/status"], load: async () => (await import("../features/status/status.routes.ts")).statusApi },
  { paths: ["/workspaces", "/workspaces/:ws"], load: async () => (await loadWorkspaces()).workspacesApi },
  {
    paths: ["/workspaces/:ws/members/*", "/workspaces/:ws/invitations/*"],
    load: async () => (await import("../features/members/members.routes.ts")).membersApi,
  },
  {
    paths: ["/workspaces/:ws/connections/*"],
    load: async () => (await import("../features/templates/sync/sync-templates.routes.ts")).connectionTemplatesApi,
  },
  {
    paths: ["/workspaces/:ws/connections/*"],
    load: async () => (await import("../features/connections/connections.routes.ts")).connectionsApi,
  },
  { paths: ["/workspaces/:ws/connections/*"], load: async () => (await loadWorkspaces()).connectionDeletionApi },
  {
    paths: ["/workspaces/:ws/connections/*"],
    load: async () => (await import("../features/sandbox/sandbox.routes.ts")).sandboxApi,
  },
  {
    paths: ["/workspaces/:ws/api-keys/*"],
    load: async () => (await import("../features/api-keys/api-keys.routes.ts")).apiKeysApi,
  },
  {
    paths: ["/workspaces/:ws/requests/*"],
    load: async () => (await import("../features/request-log/request-log.routes.ts")).requestLogApi,
  },
  {
    paths: ["/workspaces/:ws/statistics"],
    load: async () => (await import("../features/statistics/statistics.routes.ts")).statisticsApi,
  },
  {
    paths: ["/workspaces/:ws/events/*"],
    load: async () => (await import("../features/inbound/inbound.routes.ts")).inboundApi,
  },
  {
    paths: ["/workspaces/:ws/campaigns/*"],
    load: async () => (await import("../features/campaigns/campaigns.routes.ts")).reconciliationApi,
  },
];

export type LazyApi = Omit<Api, "endpoints"> & { features: readonly Feature[] };

export const lazyPublicApi: LazyApi = { base: "/api/v1", security: "apiKey", features: publicFeatures };

export const lazyApis: LazyApi[] = [
  lazyPublicApi,
  { base: "/manage/v1", security: "operatorToken", features: managementFeatures },
];

export const loadEndpoints = async (features: readonly Feature[]): Promise<Api["endpoints"]> =>
  (await Promise.all(features.map(({ load }) => load()))).flatMap(({ endpoints }) => endpoints);

export const loadApis = (): Promise<Api[]> =>
  Promise.all(
    lazyApis.map(async ({ base, security, features }) => ({
      base,
      security,
      endpoints: await loadEndpoints(features),
    })),
  );
