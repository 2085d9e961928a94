import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { AppEnv } from "../http/app-env.ts";
import { respondWithError, setRetryAfter, statusOf, toAppError } from "../http/errors.ts";
import { readSession } from "../features/members/members.middleware.ts";
import { AppError, type ErrorCode } from "../shared/errors.ts";
import { loadAssets } from "./kit/assets.ts";
import { visitWith } from "./kit/audiences.ts";
import { dropFlash, leaveFlash } from "./kit/flash.ts";
import { renderTrouble } from "./kit/trouble.tsx";
import type { Pages, Route } from "./kit/pages.ts";
import { campaignDetailPages } from "./pages/campaigns/campaign-detail.tsx";
import { newCampaignPages } from "./pages/campaigns/campaign-new.tsx";
import { campaignPages } from "./pages/campaigns/campaigns.tsx";
import { contactExportPages } from "./pages/contacts/contact-export.tsx";
import { contactFormPages } from "./pages/contacts/contact-form.tsx";
import { contactPages } from "./pages/contacts/contact.tsx";
import { contactImportPages } from "./pages/import/contact-import.tsx";
import { contactListPages } from "./pages/contacts/contacts.tsx";
import { deletionPages } from "./pages/deletion.tsx";
import { homePages } from "./pages/home.tsx";
import { inboxPages } from "./pages/inbox/inbox.tsx";
import { invitationPages } from "./pages/members/invitation.tsx";
import { overviewPages } from "./pages/overview/overview.tsx";
import { passwordPages } from "./pages/account/password.tsx";
import { resetPages } from "./pages/account/reset.tsx";
import { settingsPages } from "./pages/settings.ts";
import { segmentFormPages } from "./pages/segments/segment-form.tsx";
import { segmentPages } from "./pages/segments/segments.tsx";
import { signInPages } from "./pages/account/sign-in.tsx";
import { templateDetailPages } from "./pages/templates/templates-detail.tsx";
import { templateFormPages } from "./pages/templates/templates-form.tsx";
import { templatePages } from "./pages/templates/templates.tsx";

/** Every page there is. */
const pages: Pages[] = [
  signInPages,
  invitationPages,
  passwordPages,
  resetPages,
  ...homePages,
  overviewPages,
  ...settingsPages,
  deletionPages,
  templatePages,
  templateFormPages,
  templateDetailPages,
  campaignPages,
  newCampaignPages,
  campaignDetailPages,
  inboxPages,
  contactListPages,
  contactExportPages,
  contactImportPages,
  contactFormPages,
  contactPages,
  segmentFormPages,
  segmentPages,
];

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const A_YEAR = "public, max-age=31536000, immutable";

async function answer(c: Context<AppEnv>, handled: Awaited<ReturnType<Route["handle"]>>): Promise<Response> {
  const { answer: given, html } = handled;
  switch (given.type) {
    case "page":
      dropFlash(c);
      return c.html(html ?? "", given.status ?? 200);
    case "redirect":
      if (given.flash !== null) leaveFlash(c, given.flash);
      return c.redirect(given.to, 303);
    case "data":
      return c.json({ success: true, ...given.data });
    case "response":
      return given.response;
  }
}

const titles: Partial<Record<ErrorCode, string>> = {
  forbidden: "You may not do this",
  not_found: "There is nothing here",
  rate_limited: "Please wait a moment",
  validation_failed: "This address is not right",
};

const signInFrom = (path: string) => `/console/sign-in?next=${encodeURIComponent(path)}`;

/** Somebody who is signed in keeps their menu on pages that tell them what they may not, or what is not there. */
const wantsSession = ({ code }: AppError) => code === "forbidden" || code === "not_found";

/** Scripts get errors as the API gives them; people get a page, or where to sign in. */
async function trouble(thrown: Error, c: Context<AppEnv>): Promise<Response> {
  if (c.req.header("Accept")?.startsWith("application/json")) return respondWithError(thrown, c);
  const error = toAppError(thrown, c.var.requestId);
  if (error.code === "unauthorized") {
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(signInFrom(c.req.method === "GET" ? pathname + search : "/console"), 303);
  }
  setRetryAfter(error, c);
  const visit = await visitWith(c, wantsSession(error) ? await readSession(c) : null);
  // A form that is refused has nothing to do with the address it was sent to.
  const isOfForm = error.code === "validation_failed" && c.req.method === "POST";
  const title = (isOfForm ? undefined : titles[error.code]) ?? "Something went wrong";
  return c.html(await renderTrouble(visit, title, error.message, c.var.requestId), statusOf[error.code]);
}

/** The web pages, below `/console`. */
export function mountConsole(app: Hono<AppEnv>): void {
  const site = new Hono<AppEnv>();
  site.onError(trouble);

  site.use(async (c, next) => {
    c.header("Content-Security-Policy", POLICY);
    c.header("Cache-Control", "no-store");
    await next();
  });
  site.get("/assets/*", async (c) => {
    const asset = (await loadAssets()).findAsset(c.req.path);
    if (asset === undefined) throw new AppError("not_found", "This file is of another version. Reload the page.");
    return c.body(asset.text, 200, { "Content-Type": asset.type, "Cache-Control": A_YEAR });
  });

  const onError = () => {
    throw new AppError("payload_too_large", "This is more than 1 MB.");
  };
  const limit = bodyLimit({ maxSize: 1_048_576, onError });
  const all = pages.flatMap(({ base, routes }) => routes.map((route) => ({ base, ...route })));
  const ofWorkspaces = new Set(
    all.filter(({ base, method }) => base.includes(":ws") && method === "get").map(({ path }) => path),
  );
  for (const { base, method, path, handle } of all) {
    site.on(method.toUpperCase(), base + path || "/", limit, async (c) =>
      answer(c, await handle(c, (at) => ofWorkspaces.has(at))),
    );
  }
  site.all("*", () => {
    throw new AppError("not_found", "There is no such page.");
  });
  app.route("/console", site);
}
