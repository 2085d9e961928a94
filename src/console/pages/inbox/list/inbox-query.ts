// The address contains the whole state of the inbox, so that members can bookmark and share it.
import * as z from "zod";
import { listConversationsQuery } from "../../../../features/conversations/conversations.schemas.ts";
import { historyPageQuery } from "../../../../features/messages/messages.schemas.ts";
import { boundedText, flagParam } from "../../../../http/fields.ts";
import { parseInput } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";

/** The API's query for conversations, and the parameters of the thread. By default only open conversations. */
export const inboxQuery = listConversationsQuery.omit({ limit: true, status: true, snoozed: true }).extend({
  status: z.enum(["open", "snoozed", "done", "all"]).default("open"),
  /** `true`: only conversations in which the reader has an unread mention, in any status. */
  mentioned: flagParam.optional(),
  before: historyPageQuery.shape.cursor,
  /** What the member composes: a template or a note. Without scripts, also a file or a canned reply. */
  compose: z.enum(["template", "note", "canned"]).optional(),
  template: boundedText(100).optional(),
  /** Without scripts: the canned reply that the text begins with. */
  canned: boundedText(100).optional(),
  reply_to: boundedText(100).optional(),
});

export type InboxQuery = z.output<typeof inboxQuery>;

export const readInboxQuery = ({ url }: WorkspaceRequest): InboxQuery =>
  parseInput(inboxQuery, Object.fromEntries(url.searchParams));

const FILTERS = ["status", "assignee", "label", "unread", "mentioned", "search", "cursor"];

export const readListFilters = ({ url }: WorkspaceRequest): [string, string][] =>
  [...url.searchParams].filter(([name, value]) => FILTERS.includes(name) && value !== "");

/** The address of a conversation next to the current list. Null for the list without a conversation. */
export function inboxPath(request: WorkspaceRequest, id: string | null, more: Record<string, string> = {}): string {
  const query = new URLSearchParams([...readListFilters(request), ...Object.entries(more)]).toString();
  return request.path(id === null ? "/inbox" : `/inbox/${id}`) + (query === "" ? "" : `?${query}`);
}

/** Like `inboxPath`, but the form for notes stays open. */
export const composingPath = (request: WorkspaceRequest, id: string): string =>
  inboxPath(request, id, request.url.searchParams.get("compose") === "note" ? { compose: "note" } : {});

export const messagePath = (request: WorkspaceRequest, id: string, messageId: string): string =>
  inboxPath(request, `${id}/messages/${messageId}`);
