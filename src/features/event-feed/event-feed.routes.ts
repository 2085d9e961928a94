import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { eventView, listEventsQuery } from "./event-feed.schemas.ts";
import { MAX_WAITING, MAX_WAITING_IN_WORKSPACE } from "./event-feed.limits.ts";
import { getEvent, listEvents } from "./event-feed.service.ts";

export const eventsApi = createApi("Events", publicApi);

eventsApi.get(
  "/events",
  {
    name: "events.list",
    tool: "read",
    summary: "List events, oldest first",
    description:
      "Every change of a message, conversation, contact, campaign, template, tag, custom field, segment, webhook or connection is an " +
      "event, and so is creating or revoking an API key. Changes of members and of the workspace's settings are not. Events are kept " +
      "for 30 days. Go on with `after=<next_after>`, also after an empty page: a page examines 5,000 events and holds about 4 MB at " +
      "most, so it may be short, with `types` also empty, while `has_more` is true. With `wait`, a request that finds nothing and has examined all there is " +
      "waits for the next event that it asks for; it counts once against the limit. At most " +
      `${MAX_WAITING} requests of a key wait at a time, and ${MAX_WAITING_IN_WORKSPACE} of the workspace; one more answers 429. ` +
      "To follow the log, start with `after=now`, then pass each `next_after` together with `wait`. An echo of a message from another " +
      "device that is recognised as one of ours ends with `message.revoked`, its `delivery` changed to null.",
    query: listEventsQuery,
    response: {
      events: z.array(eventView),
      next_after: z.string().meta({ description: "The last event examined: send it as `after`." }),
      has_more: z.boolean().meta({ description: "Whether there are events behind it already." }),
    },
    errors: ["not_found", "cursor_expired"],
  },
  async (ctx, { query: { after, types, limit, wait }, signal }) => {
    const { events, next, hasMore } = await listEvents(ctx, { after, types, limit, waitSeconds: wait, signal });
    return { events, next_after: next, has_more: hasMore };
  },
);

eventsApi.get(
  "/events/:id",
  {
    name: "events.get",
    tool: "read",
    summary: "Get an event",
    description: "With the object as it is now. Events older than 30 days answer 404.",
    response: { event: eventView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ event: await getEvent(ctx, params.id) }),
);
