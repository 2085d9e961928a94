import { beforeAll, describe, expect, it } from "vitest";
import { surfaces } from "../support/surfaces.ts";
import { contextOf } from "../support/context.ts";
import { logEvents } from "../support/fill-log.ts";
import { storeFile } from "../support/media.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"];

const routes = surfaces.flatMap(({ base, security, endpoints }) =>
  endpoints.map(({ method, path, body, status }) => ({
    name: `${method.toUpperCase()} ${base}${path}`,
    method: method.toUpperCase(),
    base,
    path,
    security,
    takesBody: body !== undefined,
    status,
  })),
);
type Route = (typeof routes)[number];

/** Valid bodies of routes that require a body. Add each new route with an id here. */
const bodies: Record<string, object> = {
  "PATCH /api/v1/conversations/:id": { status: "done" },
  "POST /api/v1/conversations/:id/messages": { text: "Hello" },
  "POST /api/v1/conversations/:id/notes": { body: "Hello" },
  "PATCH /api/v1/contacts/:id": { name: "Taken over" },
  "PUT /api/v1/contacts/:id": { name: "Taken over" },
  "POST /api/v1/contacts/:id/merge": { from: "ct_other" },
  "PATCH /api/v1/tags/:id": { name: "Taken over" },
  "PATCH /api/v1/custom-fields/:id": { label: "Taken over" },
  "PATCH /api/v1/webhooks/:id": { description: "Taken over" },
  "POST /api/v1/webhooks/:id/rotate-secret": {},
  "POST /api/v1/webhooks/:id/replay": { only: "all" },
  "PATCH /api/v1/segments/:id": { name: "Taken over" },
  "PATCH /api/v1/templates/:id": { name: "Taken over" },
  "PATCH /api/v1/canned-replies/:id": { body: "Taken over" },
  "POST /api/v1/templates/:id/send": { to: "+14155550100" },
  "PATCH /api/v1/campaigns/:id": { name: "Taken over" },
  "POST /api/v1/campaigns/:id/test": { to: "+14155550100" },
  "PATCH /manage/v1/workspaces/:ws": { name: "Taken over" },
  "PATCH /manage/v1/workspaces/:ws/members/:id": { role: "agent" },
  "POST /manage/v1/workspaces/:ws/invitations": { email: "ada@example.com", role: "agent" },
  "PATCH /manage/v1/workspaces/:ws/connections/:id": { name: "Taken over" },
  "POST /manage/v1/workspaces/:ws/connections/:id/simulate": { from: "+14155550100", text: "Hello" },
  "PATCH /manage/v1/workspaces/:ws/api-keys/:id": { name: "Taken over" },
};

let world: World;
let mine: Customer;
let theirs: Customer;
/** Ids of the other workspace's records, by the part of the path before the id. */
let ids: Record<string, string>;

beforeAll(async () => {
  world = new World();
  mine = await world.customer({ plan: "scale" });
  theirs = await world.customer({ plan: "scale" });
  const { body } = await theirs.send(phoneEnding("1111"));
  const { tag } = (await theirs.call("POST", "/tags", { name: "VIP" })).body;
  const plan = { field_key: "plan", label: "Plan", type: "text" };
  const field = (await theirs.call("POST", "/custom-fields", plan)).body.custom_field;
  const filter = { match: "all", conditions: [{ field: "tags", op: "has_any", value: ["VIP"] }] };
  const { segment } = (await theirs.call("POST", "/segments", { name: "Best", filter })).body;
  const { template } = (await theirs.call("POST", "/templates", { name: "Greeting", body: "Hello" })).body;
  const { canned_reply } = (await theirs.call("POST", "/canned-replies", { shortcut: "hi", body: "Hello" })).body;
  ids = {
    messages: body.message_id,
    conversations: body.conversation_id,
    contacts: body.contact_id,
    tags: tag.id,
    "custom-fields": field.id,
    segments: segment.id,
    templates: template.id,
    "canned-replies": canned_reply.id,
    campaigns: await theirCampaign(template.id),
    connections: theirs.connectionId,
    "api-keys": theirs.keyId,
    members: (await theirs.member("owner")).userId,
    invitations: (await theirs.manage("POST", "/invitations", { email: "bo@example.com", role: "admin" })).body
      .invitation.id,
    events: await theirEvent(tag.id),
    webhooks: await theirWebhook(),
    media: (await storeFile(theirs)).id,
    dead: await theirDeadEvent(),
    jobs: await theirJob(body.contact_id),
  };
});

async function theirCampaign(templateId: string): Promise<string> {
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { template_id: templateId, channel: "unofficial", scheduled_at };
  return (await theirs.call("POST", "/campaigns", body)).body.campaign_id;
}

async function theirJob(contactId: string): Promise<string> {
  return (await theirs.call("POST", "/contacts/bulk", { ids: [contactId], action: "archive" })).body.job.id;
}

async function theirWebhook(): Promise<string> {
  const { body } = await theirs.call("POST", "/webhooks", { url: "https://hooks.example.org/a", types: ["api_key.*"] });
  return body.webhook.id;
}

async function theirEvent(tagId: string): Promise<string> {
  await logEvents(await contextOf(theirs), [{ type: "tag.created", id: tagId }]);
  return (await theirs.call("GET", "/events")).body.events[0].id;
}

async function theirDeadEvent(): Promise<string> {
  const workspace = await world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
    .bind(theirs.workspaceId)
    .first();
  await world.queues.binding("tidings-events-dead").send({ v: 1, workspace, connectionId: theirs.connectionId });
  await world.queues.deliverDue(world.env);
  return (await theirs.manage("GET", "/events/dead")).body.events[0].id;
}

const tokenOf = ({ security }: Route) => (security === "apiKey" ? mine.key : world.env.ADMIN_TOKEN);
const pathTo = ({ base, path }: Route, id: string) => base + path.replace(":ws", mine.workspaceId).replace(":id", id);

const call = (route: Route, id: string, ask: { token?: string | null } = {}): Promise<Answer> => {
  const body = route.takesBody ? (bodies[route.name] ?? {}) : undefined;
  return world.request(route.method, pathTo(route, id), body, { token: tokenOf(route), ...ask });
};

describe("Every route", () => {
  it.each(routes)("A request without a key returns 401: $name", async (route) => {
    for (const token of [null, "tdg_wrong", route.security === "apiKey" ? world.env.ADMIN_TOKEN : mine.key]) {
      const answer = await call(route, "any", { token });
      expect(answer).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    }
  });

  it.each(routes)("A wrong method returns 405 with the allowed methods: $name", async (route) => {
    const own = routes
      .filter(({ base, path }) => base === route.base && path === route.path)
      .map(({ method }) => method);
    for (const method of METHODS.filter((each) => !own.includes(each))) {
      const answer = await world.request(method, pathTo(route, "any"), undefined, { token: tokenOf(route) });
      expect(answer, method).toMatchObject({ status: 405, body: { error: { code: "method_not_allowed" } } });
      const allow = answer.headers.get("Allow")?.split(", ") ?? [];
      expect(allow).toEqual([...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
    }
    const options = await world.request("OPTIONS", pathTo(route, "any"), undefined, { token: tokenOf(route) });
    expect(options).toMatchObject({ status: 204, body: "" });
  });

  it.each(routes)("Unknown parameters and fields are rejected: $name", async (route) => {
    const body = route.method === "GET" ? undefined : { no_such_field: 1 };
    const answer = await world.request(route.method, `${pathTo(route, "any")}?no_such_parameter=1`, body, {
      token: tokenOf(route),
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "validation_failed" } } });
    const paths = answer.body.error.details.map(({ path }: { path: string }) => path);
    expect(paths).toContain("query.no_such_parameter");
    if (body !== undefined) expect(paths).toContain("no_such_field");
  });

  it.each(routes.filter(({ path }) => path.includes(":id")))(
    "An unknown id and an id of another workspace return 404: $name",
    async (route) => {
      const kind = /([^/]+)\/:id/.exec(route.path)?.[1] ?? "";
      const id = ids[kind];
      if (id === undefined) throw new Error(`This test has no ${kind} of another workspace.`);
      const [foreign, unknown] = [await call(route, id), await call(route, `${id.slice(0, -4)}zzzz`)];
      expect(foreign).toMatchObject({ status: 404, body: { error: { code: "not_found", details: null } } });
      expect(unknown.body.error).toEqual(foreign.body.error);
    },
  );

  it.each(routes.filter(({ path }) => path.includes(":ws")))(
    "An unknown workspace returns 404: $name",
    async (route) => {
      const path = pathTo(route, "any").replace(mine.workspaceId, "ws_unknown");
      const connection = { name: "A", channel: "official", provider: "sandbox", config: {} };
      const creation = route.path.endsWith("api-keys") ? { name: "A", connection_id: "conn_any" } : connection;
      const body = route.takesBody ? (bodies[route.name] ?? creation) : undefined;
      const answer = await world.request(route.method, path, body, { token: tokenOf(route) });
      expect(answer).toMatchObject({
        status: 404,
        body: { error: { code: "not_found", message: "No such workspace." } },
      });
    },
  );

  it("Calls to all routes with another workspace's ids change nothing in that workspace", async () => {
    expect((await theirs.call("GET", `/contacts/${ids["contacts"]}`)).body.contact).toMatchObject({
      name: null,
      is_archived: false,
    });
    expect((await theirs.call("GET", "/tags")).body.tags).toMatchObject([{ id: ids["tags"], name: "VIP" }]);
    expect((await theirs.call("GET", "/custom-fields")).body.custom_fields).toMatchObject([
      { id: ids["custom-fields"], label: "Plan" },
    ]);
    expect((await theirs.call("GET", "/segments")).body.segments).toMatchObject([
      { id: ids["segments"], name: "Best", invalid: false },
    ]);
    expect((await theirs.call("GET", "/webhooks")).body.webhooks).toMatchObject([
      { id: ids["webhooks"], status: "active", description: null },
    ]);
    expect((await theirs.call("GET", "/templates")).body.templates).toMatchObject([
      { id: ids["templates"], name: "Greeting" },
    ]);
    expect((await theirs.call("GET", "/campaigns")).body.campaigns).toMatchObject([
      { campaign_id: ids["campaigns"], status: "scheduled" },
    ]);
    expect((await theirs.call("GET", `/conversations/${ids["conversations"]}`)).body.conversation.status).toBe("open");
    expect((await theirs.manage("GET", `/connections/${ids["connections"]}`)).body.connection.name).toBe("Sandbox");
    expect((await theirs.manage("GET", `/api-keys/${ids["api-keys"]}`)).body.api_key).toMatchObject({
      name: "Test",
      revoked_at: null,
    });
    expect((await theirs.manage("GET", "/members")).body.members).toMatchObject([
      { id: ids["members"], role: "owner" },
    ]);
    expect((await theirs.manage("GET", "/invitations")).body.invitations).toMatchObject([{ id: ids["invitations"] }]);
  });
});
