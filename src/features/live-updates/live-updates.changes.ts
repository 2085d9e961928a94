// Which changes a member is told of. Pure.
import { isAtLeast, type Role } from "../../shared/actor.ts";
import type { EventObject } from "../events/events.types.ts";
import type { PushedChange } from "./live-updates.schemas.ts";

/** The role that sees a kind of object in the console. */
const readers: ReadonlyMap<string, Role> = new Map(
  Object.entries({
    message: "agent",
    note: "agent",
    conversation: "agent",
    contact: "agent",
    tag: "agent",
    custom_field: "agent",
    segment: "agent",
    canned_reply: "agent",
    campaign: "admin",
    template: "admin",
    webhook: "admin",
    connection: "admin",
    api_key: "admin",
  } satisfies Record<EventObject, Role>),
);

/** An event with what it concerns. */
export interface LoggedChange {
  type: string;
  object_id: string;
  actor_type: string;
  actor_id: string | null;
  conversation_id: string | null;
  contact_id: string | null;
  campaign_id: string | null;
  /** Ids of the members whom a note names. */
  mentions: string[];
}

const known = (key: keyof PushedChange, value: string | null) => (value === null ? {} : { [key]: value });

function presentChange(change: LoggedChange, isAdmin: boolean): PushedChange {
  const { type, object_id: id, conversation_id, contact_id, campaign_id, mentions } = change;
  // Messages of a campaign to people who have no conversation show in its counts only.
  if (type.startsWith("message.") && campaign_id !== null && conversation_id === null) return { type, campaign_id };
  return {
    type,
    id,
    ...known("conversation_id", conversation_id),
    ...known("contact_id", contact_id),
    ...known("campaign_id", isAdmin ? campaign_id : null),
    ...known("actor_id", change.actor_type === "member" ? change.actor_id : null),
    ...(mentions.length > 0 && { mentions }),
  };
}

/** The changes that a member of this role is told of, each thing once. Agents see no campaigns. */
export function changesFor(role: Role, changes: readonly LoggedChange[]): PushedChange[] {
  const isAdmin = isAtLeast(role, "admin");
  const presented = changes
    .filter(({ type }) => isAtLeast(role, readers.get(type.slice(0, type.indexOf("."))) ?? "owner"))
    .map((change) => presentChange(change, isAdmin))
    .filter(({ id }) => isAdmin || id !== undefined);
  return [...new Map(presented.map((change) => [JSON.stringify(change), change])).values()];
}
