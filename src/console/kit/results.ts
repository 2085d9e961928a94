import type { Context } from "hono";
import { isValidElement } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../http/app-env.ts";
import { clearNotice, type Notice, storeNotice } from "./page/notice.ts";

type Answer =
  | { type: "page"; page: JSX.Element; status: ContentfulStatusCode }
  | { type: "redirect"; to: string; notice: Notice | null }
  | { type: "data"; data: object }
  | { type: "response"; response: Response };

export type HandlerResult = JSX.Element | Answer;

export const withStatus = (status: ContentfulStatusCode, page: JSX.Element): HandlerResult => ({
  type: "page",
  page,
  status,
});

const redirect = (to: string, notice: Notice | null): HandlerResult => ({ type: "redirect", to, notice });

export const redirectTo = (to: string, done?: string, links: Notice["links"] = []): HandlerResult =>
  redirect(to, done === undefined ? null : { kind: "done", text: done, links, undo: null });

export const redirectWithUndo = (
  to: string,
  done: string,
  action: string,
  fields: Record<string, string> = {},
): HandlerResult => redirect(to, { kind: "done", text: done, links: [], undo: { action, fields } });

export const redirectWithError = (to: string, text: string, links: Notice["links"] = []): HandlerResult =>
  redirect(to, { kind: "error", text, links, undo: null });

export const sendJson = (data: object): HandlerResult => ({ type: "data", data });
export const sendResponse = (response: Response): HandlerResult => ({ type: "response", response });

const isPage = (result: HandlerResult): result is JSX.Element => isValidElement(result);

export async function respond(
  c: Context<AppEnv>,
  result: HandlerResult,
  render: (page: JSX.Element) => Promise<string>,
): Promise<Response> {
  if (isPage(result)) return respond(c, withStatus(200, result), render);
  switch (result.type) {
    case "page": {
      const html = await render(result.page);
      clearNotice(c);
      return c.html(html, result.status);
    }
    case "redirect":
      if (result.notice !== null) storeNotice(c, result.notice);
      // A script gets the address as JSON and opens the page itself. With a redirect, the script's `fetch` would
      // load the page, which clears the notice before the user sees it.
      if (c.req.header("X-Form") === "save") return c.json({ success: true, redirect: result.to });
      return c.redirect(result.to, 303);
    case "data":
      return c.json({ success: true, ...result.data });
    case "response":
      return result.response;
  }
}
