// The URL of the page contains the whole state of the inbox. Members can therefore bookmark and share it.
import * as z from "zod";
import { listConversationsQuery } from "../../../../features/conversations/conversations.schemas.ts";
import { historyPageQuery } from "../../../../features/messages/messages.schemas.ts";
import { boundedText, flagParam } from "../../../../http/fields.ts";
import { parseInput } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";

export const inboxQuery = listConversationsQuery.omit({ limit: true, status: true, snoozed: true }).extend({
  status: z.enum(["open", "snoozed", "done", "all"]).default("open"),
  mentioned: flagParam.optional(),
  before: historyPageQuery.shape.cursor,
  /** What the member is writing. `canned` shows a list of the canned replies if the browser runs no scripts. */
  compose: z.enum(["template", "note", "canned"]).optional(),
  template: boundedText(100).optional(),
  /** Without scripts, the text field starts with this canned reply. */
  canned: boundedText(100).optional(),
  reply_to: boundedText(100).optional(),
});

export type InboxQuery = z.output<typeof inboxQuery>;

export const readInboxQuery = ({ url }: WorkspaceRequest): InboxQuery =>
  parseInput(inboxQuery, Object.fromEntries(url.searchParams));

const FILTERS = ["status", "assignee", "label", "unread", "mentioned", "search", "cursor"];

export const readListFilters = ({ url }: WorkspaceRequest): [string, string][] =>
  [...url.searchParams].filter(([name, value]) => FILTERS.includes(name) && value !== "");

export function inboxPath(request: WorkspaceRequest, id: string | null, more: Record<string, string> = {}): string {
  const query = new URLSearchParams([...readListFilters(request), ...Object.entries(more)]).toString();
  return request.path(id === null ? "/inbox" : `/inbox/${id}`) + (query === "" ? "" : `?${query}`);
}

export const composingPath = (request: WorkspaceRequest, id: string): string =>
  inboxPath(request, id, request.url.searchParams.get("compose") === "note" ? { compose: "note" } : {});

export const messagePath = (request: WorkspaceRequest, id: string, messageId: string): string =>
  inboxPath(request, `${id}/messages/${messageId}`);
