// The inbox query. The address contains the whole state, so that pages can be bookmarked and shared.
import * as z from "zod";
import { listConversationsQuery } from "../../../../features/conversations/conversations.schemas.ts";
import { historyPageQuery } from "../../../../features/messages/messages.schemas.ts";
import { boundedText, flagParam } from "../../../../http/fields.ts";
import { parseInput } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";

/** The API's list query, limited to open conversations by default, plus the thread's parameters. */
export const inboxQuery = listConversationsQuery.omit({ limit: true, status: true, snoozed: true }).extend({
  status: z.enum(["open", "snoozed", "done", "all"]).default("open"),
  /** `true`: only conversations with an unread mention of the reader, in any status. */
  mentioned: flagParam.optional(),
  before: historyPageQuery.shape.cursor,
  /** Set to reply with a template, to add a note, or (without scripts) to attach a file or choose a canned reply. */
  compose: z.enum(["template", "note", "canned"]).optional(),
  template: boundedText(100).optional(),
  /** The canned reply to start with, without scripts. */
  canned: boundedText(100).optional(),
  reply_to: boundedText(100).optional(),
});

export type InboxQuery = z.output<typeof inboxQuery>;

export const readInboxQuery = ({ url }: WorkspaceRequest): InboxQuery =>
  parseInput(inboxQuery, Object.fromEntries(url.searchParams));

const FILTERS = ["status", "assignee", "label", "unread", "mentioned", "search", "cursor"];

export const readListFilters = ({ url }: WorkspaceRequest): [string, string][] =>
  [...url.searchParams].filter(([name, value]) => FILTERS.includes(name) && value !== "");

/** The address of a conversation next to the same list. Null opens no conversation. */
export function inboxPath(request: WorkspaceRequest, id: string | null, more: Record<string, string> = {}): string {
  const query = new URLSearchParams([...readListFilters(request), ...Object.entries(more)]).toString();
  return request.path(id === null ? "/inbox" : `/inbox/${id}`) + (query === "" ? "" : `?${query}`);
}

/** Like `inboxPath`, but keeps an open note form. */
export const composingPath = (request: WorkspaceRequest, id: string): string =>
  inboxPath(request, id, request.url.searchParams.get("compose") === "note" ? { compose: "note" } : {});

export const messagePath = (request: WorkspaceRequest, id: string, messageId: string): string =>
  inboxPath(request, `${id}/messages/${messageId}`);
