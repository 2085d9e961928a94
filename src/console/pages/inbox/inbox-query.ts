// What an inbox shows is in its address, so that it can be kept, shared and gone back to.
import * as z from "zod";
import { listConversationsQuery } from "../../../features/conversations/conversations.schemas.ts";
import { historyQuery } from "../../../features/messages/messages.schemas.ts";
import { text } from "../../../http/fields.ts";
import { parseInput } from "../../kit/forms.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";

/** The API's list query, where an inbox without a status shows what is open, and what the thread beside it shows. */
export const inboxQuery = listConversationsQuery.omit({ limit: true, status: true }).extend({
  status: z.enum(["open", "done", "all"]).default("open"),
  search: text(100).optional(),
  /** Messages from before this place in the thread. */
  before: historyQuery.shape.cursor,
  /** Compose from a template where free text might go too. */
  compose: z.literal("template").optional(),
  template: text(100).optional(),
});

export type InboxQuery = z.output<typeof inboxQuery>;

/** The query of a form that was sent to a page of the inbox. */
export const readInboxQuery = ({ url }: WorkspaceRequest): InboxQuery =>
  parseInput(inboxQuery, Object.fromEntries(url.searchParams));

const FILTERS = ["status", "unread", "search", "cursor"];

/** What of the address says which conversations are listed. */
export const readListFilters = ({ url }: WorkspaceRequest): [string, string][] =>
  [...url.searchParams].filter(([name, value]) => FILTERS.includes(name) && value !== "");

/** The address of a conversation, or of none, beside the same list. */
export function inboxPath(request: WorkspaceRequest, id: string | null, more: Record<string, string> = {}): string {
  const query = new URLSearchParams([...readListFilters(request), ...Object.entries(more)]).toString();
  return request.path(id === null ? "/inbox" : `/inbox/${id}`) + (query === "" ? "" : `?${query}`);
}
