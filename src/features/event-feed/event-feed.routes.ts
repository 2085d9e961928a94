import * as z from "zod";
import { publicApi } from "../../http/audiences.ts";
import { createApi } from "../../http/endpoint.ts";
import { eventView, listEventsQuery } from "./event-feed.schemas.ts";
import { MAX_WAITING, MAX_WAITING_IN_WORKSPACE } from "./event-feed.waiting.ts";
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
      "event. Creating or revoking an API key is also an event. Changes of members and of the workspace's settings are not events. Events are stored " +
      "for 30 days. Continue with `after=<next_after>`, also after an empty page. A page reads at most 5,000 events and about 4 MB, " +
      "so a page can be short while `has_more` is true, and with `types` it can be empty. With `wait`, a request that finds no events " +
      "waits for the next matching event. A request that waits counts once against the rate limit. At most " +
      `${MAX_WAITING} requests per key and ${MAX_WAITING_IN_WORKSPACE} per workspace can wait at a time; further requests return 429. ` +
      "To follow the log, start with `after=now`, then send each `next_after` with `wait`. A provider can report a message of Tidings as if another device had sent it: " +
      "Tidings stores an echo. If Tidings recognizes the echo later, its last event is `message.revoked`, with `delivery` changed to null.",
    query: listEventsQuery,
    response: {
      events: z.array(eventView),
      next_after: z
        .string()
        .meta({ description: "Id of the last event that the request read. Send it as `after` in the next request." }),
      has_more: z.boolean().meta({ description: "True if the log has more events after `next_after`." }),
    },
    errors: ["not_found", "cursor_expired"],
  },
  async (ctx, { query: { after, types, limit, wait } }) => {
    const { events, next, hasMore } = await listEvents(ctx, { after, types, limit, waitSeconds: wait });
    return { events, next_after: next, has_more: hasMore };
  },
);

eventsApi.get(
  "/events/:id",
  {
    name: "events.get",
    tool: "read",
    summary: "Get an event",
    description: "Returns the event with the current object. Events older than 30 days return 404.",
    response: { event: eventView },
    errors: ["not_found"],
  },
  async (ctx, { params }) => ({ event: await getEvent(ctx, params.id) }),
);
