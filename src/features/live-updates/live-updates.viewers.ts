// The people at the pages of a workspace, and what others are told of them. Pure.
import type { PushedMessage, Viewer } from "./live-updates.schemas.ts";

type PresentMembers = Extract<PushedMessage, { type: "presence" }>["members"];

/** The members at a conversation but one, each once however many pages they have it open in. */
export function othersAt(viewers: Iterable<Viewer>, conversationId: string, userId: string): PresentMembers {
  const members = new Map<string, PresentMembers[number]>();
  for (const each of viewers) {
    if (each.conversationId !== conversationId || each.userId === userId) continue;
    if (members.get(each.userId)?.presence !== "typing")
      members.set(each.userId, { id: each.userId, name: each.name, presence: each.presence });
  }
  return [...members.values()];
}
