// The query of the inbox. All that it shows is in its address, so that pages can be bookmarked and shared.
import * as z from "zod";
import { listConversationsQuery } from "../../../../features/conversations/conversations.schemas.ts";
import { historyPageQuery } from "../../../../features/messages/messages.schemas.ts";
import { boundedText, flagParam } from "../../../../http/fields.ts";
import { parseInput } from "../../../kit/forms/forms.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";

/** The API's list query, with open conversations by default, and the parameters of the thread beside the list. */
export const inboxQuery = listConversationsQuery.omit({ limit: true, status: true, snoozed: true }).extend({
  status: z.enum(["open", "snoozed", "done", "all"]).default("open"),
  /** `true`: only those whose notes mention the reader, who has not looked there since; of any status. */
  mentioned: flagParam.optional(),
  /** The cursor of older messages. */
  before: historyPageQuery.shape.cursor,
  /** Set to reply with a template where free text is possible, too, to add a note; to attach a file or choose a canned reply without scripts. */
  compose: z.enum(["template", "note", "canned"]).optional(),
  template: boundedText(100).optional(),
  /** The canned reply that the reply is to begin as, where no script puts it in. */
  canned: boundedText(100).optional(),
  /** The message that a reply is to quote. */
  reply_to: boundedText(100).optional(),
});

export type InboxQuery = z.output<typeof inboxQuery>;

/** The query in the address that a form was sent to. */
export const readInboxQuery = ({ url }: WorkspaceRequest): InboxQuery =>
  parseInput(inboxQuery, Object.fromEntries(url.searchParams));

const FILTERS = ["status", "assignee", "label", "unread", "mentioned", "search", "cursor"];

/** The parameters that filter the list. */
export const readListFilters = ({ url }: WorkspaceRequest): [string, string][] =>
  [...url.searchParams].filter(([name, value]) => FILTERS.includes(name) && value !== "");

/** The address of a conversation, or of none, with the same list beside it. */
export function inboxPath(request: WorkspaceRequest, id: string | null, more: Record<string, string> = {}): string {
  const query = new URLSearchParams([...readListFilters(request), ...Object.entries(more)]).toString();
  return request.path(id === null ? "/inbox" : `/inbox/${id}`) + (query === "" ? "" : `?${query}`);
}

/** As `inboxPath`, for what is done while somebody writes a note: its form stays open. */
export const composingPath = (request: WorkspaceRequest, id: string): string =>
  inboxPath(request, id, request.url.searchParams.get("compose") === "note" ? { compose: "note" } : {});

/** The address of a message's details. */
export const messagePath = (request: WorkspaceRequest, id: string, messageId: string): string =>
  inboxPath(request, `${id}/messages/${messageId}`);
