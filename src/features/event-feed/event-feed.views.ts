// Events in the API's form.
import { iso } from "../../shared/time/iso-times.ts";
import type { presentApiKey } from "../api-keys/api-keys.schemas.ts";
import { eventId } from "../events/events.ids.ts";
import { kindOf } from "../events/events.types.ts";
import { describeFilter, storedFilter } from "../segments/segments.stored.ts";
import type { EventView } from "./event-feed.schemas.ts";
import { presentObject, type ViewContext } from "./event-objects.ts";
import type { EventRow } from "./read-events.sql.ts";

interface Surroundings extends ViewContext {
  workspaceId: string;
  /** Keys by id, because they are in another database. */
  apiKeys: ReadonlyMap<string, ReturnType<typeof presentApiKey>>;
}

/** The log holds filters in stored form, with the names of tags and fields at that time. */
const presentFilter = (stored: unknown) =>
  stored === null ? null : describeFilter(storedFilter.parse(stored), { tags: [] });

function presentChanges({ type, changes }: EventRow): EventView["changes"] {
  if (kindOf(type) !== "segment" || changes?.["filter"] === undefined) return changes;
  const [before, after] = changes["filter"];
  return { ...changes, filter: [presentFilter(before), presentFilter(after)] };
}

/** An event in the API's form. */
export function presentEvent(row: EventRow, surroundings: Surroundings): EventView {
  const { sequence, at, type, actor_type, actor_id, object_id, object } = row;
  const kind = kindOf(type);
  const shown =
    kind === "api_key"
      ? (surroundings.apiKeys.get(object_id) ?? null)
      : object && presentObject(kind, object, surroundings);
  return {
    id: eventId(surroundings.workspaceId, { sequence, at }),
    sequence,
    type,
    created_at: iso(at),
    actor: { type: actor_type, id: actor_id },
    object_id,
    data: { [kind]: shown },
    changes: presentChanges(row),
  };
}
