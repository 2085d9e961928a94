import { expect, it, vi } from "vitest";
import { surfaces } from "../../../src/entrypoints/http.ts";
import { costOf as costOfAnswer } from "../../support/storage.ts";
import type { Answer, Customer } from "../../support/world.ts";
import { type Cost, meteredWorld } from "./metered-world.ts";
import { CALLS, CONVERSATIONS, field, numberOf, person, populate, sandbox, segment } from "./populate.ts";
import { Table } from "./report.ts";

/** An isolate holds what it knows of a key for less than this. */
const HELD_MS = 60_000;

/** These count an audience between judging the request and answering it. */
const AUDIENCE = ["POST /campaigns", "POST /campaigns/preview"];
/** These read as much as there are contacts, one at a time in a workspace: they ask the key's limiter and its turns, and give the turn back. */
const IN_TURN = [...AUDIENCE, "GET /segments/:id/count"];
/** A filter is kept in names and numbers: the first trip reads it, the second runs the SQL compiled from it over what it examines or counts. */
const EXAMINING = ["GET /segments/:id/contacts", "GET /segments/:id/count"];

type Ids = Awaited<ReturnType<typeof populate>>;

/** One call of each endpoint, as it is made every day; lists are longer than a page. */
function callsOf(customer: Customer, ids: Ids): Record<string, () => Promise<Answer>> {
  let count = CONVERSATIONS;
  const once = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });
  const { world, connectionId } = customer;
  const { spareConnections } = ids;
  const conversation = `/conversations/${ids.conversation}`;
  const contact = `/contacts/${ids.contact}`;
  const template = `/templates/${ids.template}`;
  const status = () => (count++ % 2 === 0 ? "open" : "done");
  const connection = `/connections/${connectionId}`;
  const apiKey = `/api-keys/${ids.spareKey}`;
  const campaign = `/campaigns/${ids.campaign}`;
  const audience = { template_id: ids.campaignTemplate, channel: "unofficial", filter_tags: ["VIP"] };
  const newKey = { name: "Key", connection_id: connectionId };
  return {
    "POST /messages": () => customer.send(numberOf(count++), "Hello", once()),
    "GET /messages/:id": () => customer.call("GET", `/messages/${ids.message}`),
    "POST /conversations/:id/messages": () => customer.call("POST", `${conversation}/messages`, { text: "Hi" }, once()),
    "GET /conversations/:id/messages": () => customer.call("GET", `${conversation}/messages`),
    "GET /templates": () => customer.call("GET", "/templates"),
    "POST /templates": () =>
      customer.call("POST", "/templates", { name: `New ${count++}`, body: "Hi {{name}}" }, once()),
    "GET /templates/:id": () => customer.call("GET", template),
    "PATCH /templates/:id": () => customer.call("PATCH", template, { body: `Hi {{name|you}} ${count++}` }, once()),
    "DELETE /templates/:id": () => customer.call("DELETE", `/templates/${ids.spareTemplates.pop()}`, undefined, once()),
    "POST /templates/:id/send": () => customer.call("POST", `${template}/send`, { to: numberOf(count++) }, once()),
    "GET /campaigns": () => customer.call("GET", "/campaigns?limit=20"),
    "POST /campaigns": () => customer.call("POST", "/campaigns", audience, once()),
    "POST /campaigns/preview": () => customer.call("POST", "/campaigns/preview", audience),
    "GET /campaigns/:id": () => customer.call("GET", campaign),
    "POST /campaigns/:id/pause": () => customer.call("POST", `${campaign}/pause`, undefined, once()),
    "POST /campaigns/:id/resume": () => customer.call("POST", `/campaigns/${ids.spareCampaigns.pop()}/resume`),
    "POST /campaigns/:id/cancel": () => customer.call("POST", `/campaigns/${ids.spareCampaigns.pop()}/cancel`),
    "GET /campaigns/:id/recipients": () => customer.call("GET", `${campaign}/recipients`),
    "GET /conversations": () => customer.call("GET", "/conversations"),
    "GET /conversations/:id": () => customer.call("GET", conversation),
    "PATCH /conversations/:id": () => customer.call("PATCH", conversation, { status: status() }, once()),
    "POST /conversations/:id/read": () => customer.call("POST", `${conversation}/read`, undefined, once()),
    "GET /contacts": () => customer.call("GET", "/contacts?search=bench&tag=vip&status=new"),
    "POST /contacts": () => customer.call("POST", "/contacts", person(count++), once()),
    "POST /contacts/batch": () =>
      customer.call(
        "POST",
        "/contacts/batch",
        { contacts: Array.from({ length: 500 }, () => person(count++)) },
        once(),
      ),
    "GET /contacts/:id": () => customer.call("GET", contact),
    "PATCH /contacts/:id": () => customer.call("PATCH", contact, { name: `Ada ${count++}` }, once()),
    "PUT /contacts/:id": () => customer.call("PUT", contact, { is_unsubscribed: count++ % 2 === 0 }, once()),
    "DELETE /contacts/:id": () => customer.call("DELETE", `/contacts/${ids.archived.pop()}`, undefined, once()),
    "POST /contacts/:id/restore": () => customer.call("POST", `/contacts/${ids.restored.pop()}/restore`),
    "GET /tags": () => customer.call("GET", "/tags"),
    "POST /tags": () => customer.call("POST", "/tags", { name: `Tag ${count++}` }, once()),
    "PATCH /tags/:id": () => customer.call("PATCH", `/tags/${ids.tags[0]}`, { name: `Renamed ${count++}` }, once()),
    "DELETE /tags/:id": () => customer.call("DELETE", `/tags/${ids.tags.pop()}`, undefined, once()),
    "GET /custom-fields": () => customer.call("GET", "/custom-fields"),
    "POST /custom-fields": () => customer.call("POST", "/custom-fields", field(count++), once()),
    "PATCH /custom-fields/:id": () =>
      customer.call("PATCH", `/custom-fields/${ids.fields[0]}`, { label: "New" }, once()),
    "DELETE /custom-fields/:id": () => customer.call("DELETE", `/custom-fields/${ids.fields.pop()}`, undefined, once()),
    "GET /segments": () => customer.call("GET", "/segments"),
    "POST /segments": () => customer.call("POST", "/segments", segment, once()),
    "GET /segments/:id": () => customer.call("GET", `/segments/${ids.segments[0]}`),
    "PATCH /segments/:id": () => customer.call("PATCH", `/segments/${ids.segments[0]}`, segment, once()),
    "DELETE /segments/:id": () => customer.call("DELETE", `/segments/${ids.segments.pop()}`, undefined, once()),
    "GET /segments/:id/contacts": () => customer.call("GET", `/segments/${ids.segments[0]}/contacts`),
    "GET /segments/:id/count": () => customer.call("GET", `/segments/${ids.segments[0]}/count`),
    "POST /workspaces": () => world.manage("POST", "/workspaces", { name: "New" }),
    "GET /workspaces": () => world.manage("GET", "/workspaces"),
    "GET /workspaces/:ws": () => customer.manage("GET", ""),
    "PATCH /workspaces/:ws": () => customer.manage("PATCH", "", { name: "Renamed" }),
    "GET /workspaces/:ws/members": () => customer.manage("GET", "/members"),
    "PATCH /workspaces/:ws/members/:id": () => customer.manage("PATCH", `/members/${ids.owner}`, { role: "owner" }),
    "DELETE /workspaces/:ws/members/:id": () => customer.manage("DELETE", `/members/${ids.members.pop()}`),
    "POST /workspaces/:ws/members/:id/reset-link": () => customer.manage("POST", `/members/${ids.owner}/reset-link`),
    "POST /workspaces/:ws/members/:id/confirm": () => customer.manage("POST", `/members/${ids.owner}/confirm`),
    "POST /workspaces/:ws/invitations": () =>
      customer.manage("POST", "/invitations", { email: `person${count++}@example.com`, role: "agent" }),
    "GET /workspaces/:ws/invitations": () => customer.manage("GET", "/invitations"),
    "DELETE /workspaces/:ws/invitations/:id": () => customer.manage("DELETE", `/invitations/${ids.invitations.pop()}`),
    "POST /workspaces/:ws/connections": () => customer.manage("POST", "/connections", sandbox),
    "GET /workspaces/:ws/connections": () => customer.manage("GET", "/connections"),
    "GET /workspaces/:ws/connections/:id": () => customer.manage("GET", connection),
    "PATCH /workspaces/:ws/connections/:id": () => customer.manage("PATCH", connection, { name: "Renamed" }),
    "POST /workspaces/:ws/connections/:id/test": () => customer.manage("POST", `${connection}/test`),
    "POST /workspaces/:ws/connections/:id/sync-templates": () =>
      customer.manage("POST", `/connections/${ids.official}/sync-templates`),
    "DELETE /workspaces/:ws/connections/:id": () => customer.manage("DELETE", `/connections/${spareConnections.pop()}`),
    "POST /workspaces/:ws/connections/:id/simulate": () =>
      customer.manage("POST", `${connection}/simulate`, { from: numberOf(0), text: "Hello?" }),
    "GET /workspaces/:ws/events/dead": () => customer.manage("GET", "/events/dead"),
    "POST /workspaces/:ws/events/dead/:id/replay": () =>
      customer.manage("POST", `/events/dead/${ids.deadEvents.pop()}/replay`),
    "GET /workspaces/:ws/connections/:id/outbox": () => customer.manage("GET", `${connection}/outbox`),
    "POST /workspaces/:ws/campaigns/:id/reconcile": () => customer.manage("POST", `${campaign}/reconcile`),
    "POST /workspaces/:ws/api-keys": () => customer.manage("POST", "/api-keys", newKey),
    "GET /workspaces/:ws/api-keys": () => customer.manage("GET", "/api-keys"),
    "GET /workspaces/:ws/api-keys/:id": () => customer.manage("GET", apiKey),
    "PATCH /workspaces/:ws/api-keys/:id": () => customer.manage("PATCH", apiKey, { name: "Renamed" }),
    "POST /workspaces/:ws/api-keys/:id/revoke": () => customer.manage("POST", `${apiKey}/revoke`),
  };
}

/** Tags shown, and what filters name: each is looked up. */
const tagsIn = ({ contacts, segments }: Answer["body"]): number => {
  const named = (segments ?? []).flatMap(({ filter }: { filter: { conditions: object[] } }) => filter.conditions);
  return (contacts ?? []).reduce((sum: number, { tags }: { tags: object[] }) => sum + tags.length, named.length);
};
const rowsIn = (body: object) => Object.values(body).find((value) => Array.isArray(value))?.length ?? 1;

it("tells what each endpoint costs", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { world, costOf } = meteredWorld();
  const customer = await world.customer({ key: { rate_limit: { requests: 10_000, window_seconds: 20 } } });
  const calls = callsOf(customer, await populate(customer));
  const table = new Table("Endpoints: D1 before the answer, what follows it, KV, Durable Object and queue calls", [
    "endpoint",
    "trips",
    "statements",
    "read",
    "written",
    "then trips",
    "read",
    "written",
    "ledger",
    "KV",
    "DO",
    "then DO",
    "queue",
  ]);

  for (const { base, endpoints } of surfaces) {
    for (const { method, path } of endpoints) {
      const name = `${method.toUpperCase()} ${path}`;
      const call = calls[name];
      if (call === undefined) throw new Error(`${name} is not measured: give it a call in callsOf.`);
      let answer = await call();
      for (let warming = 2; warming < CALLS; warming++) answer = await call();
      const cost = await costOf(async () => {
        answer = await call();
      });
      expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);

      const { trips = 0, statements = 0, rows_read: read = 0, rows_written: written = 0 } = costOfAnswer(answer);
      const { calls: objects = 0 } = costOfAnswer(answer, "do");
      const isPublic = base === "/api/v1";
      const isInTurn = IN_TURN.includes(name);
      const isRead = method === "get" && !EXAMINING.includes(name);
      const maxRead = isRead ? 3 * rowsIn(answer.body) + 5 + 2 * tagsIn(answer.body) : Infinity;
      const maxTrips = isRead ? 1 : AUDIENCE.includes(name) ? 3 : isPublic ? 2 : Infinity;
      const budget = [
        ...(maxTrips < Infinity ? [`${maxTrips} trip${maxTrips > 1 ? "s" : ""}`] : []),
        ...(maxRead < Infinity ? [`${maxRead} read`] : []),
        ...(isPublic ? [isInTurn ? "1 KV, 2 DO, then 2" : "1 KV, 1 DO, then 1"] : []),
      ];
      // What follows the answer asks the connection's pacer, where something is sent, and gives a turn back.
      const asks = cost.objects - objects;
      // Nobody waits for a turn to be given back: that may come before the answer or after it.
      const meetsObjects = isInTurn ? objects >= 2 && cost.objects <= 4 : objects === 1 && asks <= 1;
      const met = trips <= maxTrips && read <= maxRead && (!isPublic || (cost.kv <= 1 && meetsObjects));
      const after = [cost.trips - trips, cost.read - read, cost.written - written];
      const others = [cost.ledger, cost.kv, objects, asks, cost.queue];
      table.add(
        [name, trips, statements, read, written, ...after, ...others],
        budget.length > 0 ? `≤ ${budget.join(", ")}` : "",
        budget.length > 0 ? met : null,
      );
      await world.settle();
    }
  }

  const withoutWork = ({ trips, statements, read, written, ledger, kv, objects, queue }: Cost) => [
    trips,
    statements,
    read,
    written,
    0,
    0,
    0,
    ledger,
    kv,
    objects,
    0,
    queue,
  ];
  world.advance(HELD_MS);
  const cold = await costOf(() => customer.call("GET", "/conversations?limit=1"));
  const isMet = cold.trips <= 1 && cold.read <= 8 && cold.kv <= 1 && cold.objects === 1;
  table.add(
    ["GET /conversations?limit=1, key new to the isolate", ...withoutWork(cold)],
    "≤ 1 trip, 8 read, 1 KV, 1 DO",
    isMet,
  );
  for (const [name, token] of [
    ["malformed key", "tdg_short"],
    ["forged key", `tdg_${"a".repeat(38)}`],
  ] as const) {
    const cost = await costOf(() => world.request("GET", "/api/v1/conversations", undefined, { token }));
    table.add([name, ...withoutWork(cost)], "no I/O", cost.trips + cost.kv + cost.objects + cost.queue === 0);
  }
  await table.show();
});
