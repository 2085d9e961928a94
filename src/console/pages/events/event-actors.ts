// Names of those who caused events: an event has their ids only.
import { listApiKeys } from "../../../features/api-keys/api-keys.service.ts";
import { listConnections } from "../../../features/connections/connections.service.ts";
import type { EventView } from "../../../features/event-feed/event-feed.schemas.ts";
import { listMembers } from "../../../features/members/members.service.ts";
import type { Ctx } from "../../../shared/context.ts";

type ActorType = EventView["actor"]["type"];

const MAX_LISTED = 100;

const kinds: Record<ActorType, string> = {
  api_key: "API key",
  member: "Member",
  operator: "The operator",
  provider: "Provider",
  system: "Tidings",
};

/** Gives the text for an actor: `API key Web shop`. Looks up only what these events need. */
export async function nameActors(ctx: Ctx, events: readonly EventView[]): Promise<(event: EventView) => string> {
  const has = (type: ActorType) => events.some(({ actor }) => actor.type === type);
  const [keys, members, connections] = await Promise.all([
    has("api_key") ? listApiKeys(ctx, MAX_LISTED, undefined) : [],
    has("member") ? listMembers(ctx, MAX_LISTED) : [],
    has("provider") ? listConnections(ctx, MAX_LISTED, undefined) : [],
  ]);
  const names = new Map([
    ...keys.map(({ id, name }) => [id, `API key ${name}`] as const),
    ...members.map(({ user_id, name }) => [user_id, name] as const),
    ...connections.map(({ id, name }) => [id, `Provider of ${name}`] as const),
  ]);
  return ({ actor: { type, id } }) => names.get(id ?? "") ?? kinds[type];
}
