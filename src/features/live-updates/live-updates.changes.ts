import { isAtLeast, type Role } from "../../shared/access/actor.ts";
import { leastRoleFor } from "../events/events.types.ts";
import type { PushedChange } from "./live-updates.schemas.ts";

export interface LoggedChange {
  type: string;
  object_id: string;
  actor_type: string;
  actor_id: string | null;
  conversation_id: string | null;
  contact_id: string | null;
  campaign_id: string | null;
  mentions: string[];
}

const fieldUnlessNull = (key: keyof PushedChange, value: string | null) => (value === null ? {} : { [key]: value });

function presentChange(change: LoggedChange, isAdmin: boolean): PushedChange {
  const { type, object_id: id, conversation_id, contact_id, campaign_id, mentions } = change;
  // Pages show a campaign message without a conversation only in the campaign's counts, so they need only the
  // campaign's id.
  if (type.startsWith("message.") && campaign_id !== null && conversation_id === null) return { type, campaign_id };
  return {
    type,
    id,
    ...fieldUnlessNull("conversation_id", conversation_id),
    ...fieldUnlessNull("contact_id", contact_id),
    ...fieldUnlessNull("campaign_id", isAdmin ? campaign_id : null),
    ...fieldUnlessNull("actor_id", change.actor_type === "member" ? change.actor_id : null),
    ...(mentions.length > 0 && { mentions }),
  };
}

export function changesFor(role: Role, changes: readonly LoggedChange[]): PushedChange[] {
  const isAdmin = isAtLeast(role, "admin");
  const presented = changes
    .filter(({ type }) => isAtLeast(role, leastRoleFor(type)))
    .map((change) => presentChange(change, isAdmin))
    .filter(({ id }) => isAdmin || id !== undefined);
  return [...new Map(presented.map((change) => [JSON.stringify(change), change])).values()];
}
