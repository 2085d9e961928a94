import { type Context, Hono } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import { respondWithError, setRetryAfter, statusOf, toAppError } from "../http/response/errors.ts";
import { limitBody } from "../http/request/read-body.ts";
import { readSession } from "../features/members/members.middleware.ts";
import { AppError, type ErrorCode } from "../shared/errors.ts";
import { loadAssets } from "./kit/page/assets.ts";
import { createPageRequest } from "./kit/audiences.ts";
import { ErrorPage, renderPage } from "./kit/page/page.tsx";
import { type ConsolePages, refererPath } from "./kit/pages.ts";
import { campaignCalendarPages } from "./pages/campaigns/campaign-calendar.tsx";
import { campaignDetailPages } from "./pages/campaigns/campaign-detail.tsx";
import { campaignEditPages } from "./pages/campaigns/form/campaign-edit.tsx";
import { campaignTestPages } from "./pages/campaigns/campaign-test.tsx";
import { newCampaignPages } from "./pages/campaigns/form/campaign-new.tsx";
import { campaignPages } from "./pages/campaigns/campaigns.tsx";
import { contactBulkPages } from "./pages/contacts/list/contact-bulk.tsx";
import { contactCellPages } from "./pages/contacts/contact-cell.tsx";
import { contactConversationPages } from "./pages/contacts/contact-conversation.tsx";
import { contactExportPages } from "./pages/contacts/contact-export.tsx";
import { contactFormPages } from "./pages/contacts/contact-form.tsx";
import { contactJobPages } from "./pages/contacts/contact-jobs.tsx";
import { contactMergePages } from "./pages/contacts/contact-merge.tsx";
import { contactPages } from "./pages/contacts/contact.tsx";
import { contactImportPages } from "./pages/import/import.tsx";
import { contactViewPages } from "./pages/contacts/list/contact-views.tsx";
import { contactListPages } from "./pages/contacts/list/contacts.tsx";
import { accountPages, homePages } from "./pages/account/account.tsx";
import { inboxPages } from "./pages/inbox/inbox.tsx";
import { inboxActionPages } from "./pages/inbox/thread/inbox-actions.tsx";
import { inboxTeamPages } from "./pages/inbox/inbox-team-actions.tsx";
import { inboxBulkPages } from "./pages/inbox/list/inbox-bulk-actions.ts";
import { inboxMessagePages } from "./pages/inbox/thread/inbox-message.tsx";
import { filePages, serveMedia } from "./pages/media/media.ts";
import { invitationPages } from "./pages/members/invitation.tsx";
import { overviewPages } from "./pages/overview/overview.tsx";
import { signInPages } from "./pages/account/sign-in.tsx";
import { apiKeyPages } from "./pages/api-keys/api-keys.tsx";
import { apiKeyFormPages } from "./pages/api-keys/api-key-forms.tsx";
import { requestPages } from "./pages/requests/requests.tsx";
import { workspaceSettingsPages } from "./pages/workspace/workspace.tsx";
import { connectionPages } from "./pages/connections/connections.tsx";
import { connectionDetailPages } from "./pages/connections/connections-detail.tsx";
import { newConnectionPages } from "./pages/connections/connections-new.tsx";
import { eventPages } from "./pages/events/events.tsx";
import { webhookDetailPages } from "./pages/webhooks/webhook-detail.tsx";
import { webhookFormPages } from "./pages/webhooks/webhook-form.tsx";
import { webhookPages } from "./pages/webhooks/webhooks.tsx";
import { customFieldPages } from "./pages/custom-fields/custom-fields.tsx";
import { serveLive } from "./pages/live/live.ts";
import { memberPages } from "./pages/members/members.tsx";
import { cannedReplyPages } from "./pages/canned-replies/canned-replies.tsx";
import { tagPages } from "./pages/tags/tags.tsx";
import { searchPages } from "./pages/search/search.tsx";
import { segmentFormPages } from "./pages/segments/segment-form.tsx";
import { segmentPages } from "./pages/segments/segments.tsx";
import { templateDetailPages } from "./pages/templates/templates-detail.tsx";
import { templateEditorPages } from "./pages/templates/editor/templates-editor.tsx";
import { templateFormPages } from "./pages/templates/templates-form.tsx";
import { templatePages } from "./pages/templates/templates.tsx";

/**
 * A request gets the first page that matches. A page with a fixed path such as `new` therefore comes before a
 * page with an id at the same position.
 */
const pages: ConsolePages[] = [
  signInPages,
  invitationPages,
  accountPages,
  homePages,
  overviewPages,
  apiKeyFormPages,
  apiKeyPages,
  requestPages,
  workspaceSettingsPages,
  newConnectionPages,
  connectionPages,
  connectionDetailPages,
  webhookPages,
  webhookFormPages,
  webhookDetailPages,
  eventPages,
  customFieldPages,
  tagPages,
  cannedReplyPages,
  memberPages,
  templatePages,
  templateFormPages,
  templateEditorPages,
  templateDetailPages,
  campaignPages,
  newCampaignPages,
  campaignCalendarPages,
  campaignDetailPages,
  campaignEditPages,
  campaignTestPages,
  inboxPages,
  inboxBulkPages,
  inboxTeamPages,
  inboxActionPages,
  inboxMessagePages,
  filePages,
  contactListPages,
  contactViewPages,
  contactExportPages,
  contactImportPages,
  contactBulkPages,
  contactCellPages,
  contactMergePages,
  contactConversationPages,
  contactFormPages,
  contactJobPages,
  contactPages,
  searchPages,
  segmentFormPages,
  segmentPages,
];

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const CACHE_FOR_A_YEAR = "public, max-age=31536000, immutable";

const errorTitles: Partial<Record<ErrorCode, string>> = {
  forbidden: "Access denied",
  not_found: "Page not found",
  rate_limited: "Too many requests",
  validation_failed: "Invalid address",
};

/**
 * Without scripts, the input of a form is lost if the session expires before it is submitted. `unsent=form`
 * makes the sign-in page explain this.
 */
const signInPath = (c: Context<AppEnv>) => {
  const { pathname, search } = new URL(c.req.url);
  const [next, lost] = c.req.method === "GET" ? [pathname + search, ""] : [refererPath(c), "&unsent=form"];
  return `/console/sign-in?next=${encodeURIComponent(next)}${lost}`;
};

const keepsMenu = ({ code }: AppError) => code === "forbidden" || code === "not_found";

/** Scripts receive an error as JSON. Users receive an error page, or the sign-in page if they are not signed in. */
async function handleError(thrown: Error, c: Context<AppEnv>): Promise<Response> {
  if (c.req.header("Accept")?.startsWith("application/json")) return respondWithError(thrown, c);
  const error = toAppError(thrown, c.var.requestId);
  if (error.code === "unauthorized") {
    return c.redirect(signInPath(c), 303);
  }
  setRetryAfter(error, c);
  const request = await createPageRequest(c, keepsMenu(error) ? await readSession(c) : null);
  const isForm = error.code === "validation_failed" && c.req.method === "POST";
  const title = (isForm ? undefined : errorTitles[error.code]) ?? "Something went wrong";
  const page = ErrorPage({ title, text: error.message, id: c.var.requestId });
  return c.html(await renderPage(request, page), statusOf[error.code]);
}

export function mountConsole(app: Hono<AppEnv>): void {
  const site = new Hono<AppEnv>();
  site.onError(handleError);

  site.use(async (c, next) => {
    c.header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    c.header("Cache-Control", "no-store");
    await next();
  });
  site.get("/assets/*", async (c) => {
    const asset = (await loadAssets()).findAsset(c.req.path);
    if (asset === undefined) throw new AppError("not_found", "This page is out of date. Reload it.");
    return c.body(asset.text, 200, { "Content-Type": asset.type, "Cache-Control": CACHE_FOR_A_YEAR });
  });

  site.get("/media/:id", serveMedia);
  site.get("/:ws/live", serveLive);

  const limit = limitBody(1_048_576, "The form is larger than 1 MB.");
  const unlimited: typeof limit = (_, next) => next();
  const routes = pages.flatMap(({ base, routes: own }) => own.map((route) => ({ base, ...route })));
  const workspacePaths = new Set(
    routes.filter(({ base, method }) => base.includes(":ws") && method === "get").map(({ path }) => path),
  );
  for (const { base, method, path, handle, isStreamed } of routes) {
    site.on(method.toUpperCase(), base + path || "/", isStreamed === true ? unlimited : limit, (c) =>
      handle(c, (at) => workspacePaths.has(at)),
    );
  }
  site.all("*", () => {
    throw new AppError("not_found", "This page does not exist.");
  });
  app.route("/console", site);
}
