// The changes that members hear of, by their role. Pure.
import { isAtLeast, type Role } from "../../shared/actor.ts";
import type { EventObject } from "../events/events.types.ts";
import type { PushedChange } from "./live-updates.schemas.ts";

/** The least role that sees a kind of object in the console. */
const leastRoles: ReadonlyMap<string, Role> = new Map(
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

/** An event with the records that pages may show it at. */
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

const given = (key: keyof PushedChange, value: string | null) => (value === null ? {} : { [key]: value });

function presentChange(change: LoggedChange, isAdmin: boolean): PushedChange {
  const { type, object_id: id, conversation_id, contact_id, campaign_id, mentions } = change;
  // Messages of a campaign to people who have no conversation show in its counts only.
  if (type.startsWith("message.") && campaign_id !== null && conversation_id === null) return { type, campaign_id };
  return {
    type,
    id,
    ...given("conversation_id", conversation_id),
    ...given("contact_id", contact_id),
    ...given("campaign_id", isAdmin ? campaign_id : null),
    ...given("actor_id", change.actor_type === "member" ? change.actor_id : null),
    ...(mentions.length > 0 && { mentions }),
  };
}

/** The changes that are pushed to members of this role, without repeats. Agents hear nothing of campaigns. */
export function changesFor(role: Role, changes: readonly LoggedChange[]): PushedChange[] {
  const isAdmin = isAtLeast(role, "admin");
  const presented = changes
    .filter(({ type }) => isAtLeast(role, leastRoles.get(type.slice(0, type.indexOf("."))) ?? "owner"))
    .map((change) => presentChange(change, isAdmin))
    .filter(({ id }) => isAdmin || id !== undefined);
  return [...new Map(presented.map((change) => [JSON.stringify(change), change])).values()];
}
