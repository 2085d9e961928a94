// Names the senders of outgoing messages.
import { listApiKeys } from "../../../features/api-keys/api-keys.service.ts";
import type { MemberRecord } from "../../../features/members/members.schemas.ts";
import { listMembers } from "../../../features/members/members.service.ts";
import { PROVIDER_AGENT } from "../../../features/messages/messages.states.ts";
import type { WorkspaceRequest } from "../../kit/request.ts";

const MAX_LISTED = 100;

const AGENT = "Provider's agent";

const isKey = (authorId: string): boolean => authorId.startsWith("key_");

/**
 * "You", a colleague's name, or "API". "Team" if unknown: for campaigns, other devices, and pages without `members`.
 */
export function nameSender(
  { session }: WorkspaceRequest,
  members: readonly MemberRecord[] | undefined,
  authorId: string | null,
): string {
  if (authorId === session.user.id) return "You";
  if (authorId === PROVIDER_AGENT) return AGENT;
  if (authorId !== null && isKey(authorId)) return "API";
  if (authorId === null || members === undefined) return "Team";
  return members.find(({ user_id }) => user_id === authorId)?.name ?? "A former member";
}

/** The author for the message's details, with key names; null for campaigns and other devices. */
export async function findAuthor(request: WorkspaceRequest, authorId: string | null): Promise<string | null> {
  if (authorId === null) return null;
  if (authorId === PROVIDER_AGENT) return AGENT;
  if (!isKey(authorId)) return nameSender(request, await listMembers(request.ctx, MAX_LISTED), authorId);
  const key = (await listApiKeys(request.ctx, MAX_LISTED, undefined)).find(({ id }) => id === authorId);
  return key === undefined ? "A deleted API key" : `API key ${key.name}`;
}
