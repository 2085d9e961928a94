import { kindOf } from "../events/events.types.ts";

export interface MatchedEvent {
  type: string;
  object_id: string;
  data: Record<string, unknown>;
}

export interface EventFilter {
  campaigns: "include" | "exclude" | "only";
  connectionIds: readonly string[] | null;
}

function fieldOf(object: unknown, name: string): string | null {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return null;
  const value: unknown = Reflect.get(object, name);
  return typeof value === "string" ? value : null;
}

export const isAboutMessage = ({ type }: MatchedEvent): boolean => kindOf(type) === "message";

/**
 * Returns the connection of an event. Message events do not contain it, so `ofMessages` maps ids of messages to
 * connections.
 */
function connectionOf(event: MatchedEvent, ofMessages: ReadonlyMap<string, string>): string | null {
  if (isAboutMessage(event)) return ofMessages.get(event.object_id) ?? null;
  const kind = kindOf(event.type);
  return kind === "connection" ? event.object_id : fieldOf(event.data[kind], "connection_id");
}

/**
 * Objects of these kinds belong to a connection. If such an object is deleted, its connection is unknown, so a filter
 * by connection excludes its events.
 */
const KINDS_OF_CONNECTIONS = ["message", "conversation", "campaign", "template"];

export function isWanted(
  event: MatchedEvent,
  { campaigns, connectionIds }: EventFilter,
  ofMessages: ReadonlyMap<string, string>,
): boolean {
  if (campaigns !== "include" && isAboutMessage(event)) {
    const isOfCampaign = fieldOf(event.data["message"], "campaign_id") !== null;
    if (isOfCampaign !== (campaigns === "only")) return false;
  }
  if (connectionIds === null) return true;
  const connectionId = connectionOf(event, ofMessages);
  if (connectionId !== null) return connectionIds.includes(connectionId);
  const kind = kindOf(event.type);
  return !KINDS_OF_CONNECTIONS.includes(kind) || (event.data[kind] ?? null) !== null;
}

/**
 * Events with the same key are sent in order. The key is the id of the contact. If the event has no contact,
 * it is the id of the object.
 */
export function orderKey({ type, object_id, data }: MatchedEvent): string {
  const object = data[kindOf(type)];
  const contact = typeof object === "object" && object !== null ? Reflect.get(object, "contact") : null;
  return fieldOf(object, "contact_id") ?? fieldOf(contact, "id") ?? object_id;
}
