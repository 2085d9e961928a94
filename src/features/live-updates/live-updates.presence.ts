// Presence: who looks at a conversation, as others at it are shown. Pure.
import type { PushedMessage, Viewer } from "./live-updates.schemas.ts";

type PresentMembers = Extract<PushedMessage, { type: "presence" }>["members"];

/** The members at a conversation besides this one, each once however many pages show it. Who types in one of them counts as typing. */
export function otherMembersAt(viewers: Iterable<Viewer>, conversationId: string, userId: string): PresentMembers {
  const members = new Map<string, PresentMembers[number]>();
  for (const each of viewers) {
    if (each.conversationId !== conversationId || each.userId === userId) continue;
    if (members.get(each.userId)?.presence !== "typing")
      members.set(each.userId, { id: each.userId, name: each.name, presence: each.presence });
  }
  return [...members.values()];
}
