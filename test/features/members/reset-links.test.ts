import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { Visitor } from "../../support/visitor.ts";
import { type Customer, secretIn, World } from "../../support/world.ts";

beforeEach(stopClock);

const HOUR_MS = 3_600_000;
const NEXT = "staple battery horse";

const isSignedIn = async (visitor: Visitor) => (await visitor.request("GET", "/console/password")).status === 200;
const linkPath = (customer: Customer, id: string) => `/workspaces/${customer.workspaceId}/members/${id}/reset-link`;
const open = (visitor: Visitor, secret: string) => visitor.post("/console/reset", { secret });

/** An owner, and a person who belongs only to the owner's workspace. */
async function people() {
  const world = new World();
  const customer = await world.customer();
  return { world, customer, owner: await customer.member("owner"), ada: await customer.member("agent") };
}

describe("Reset links", () => {
  it("A reset link sets a new password once and ends every session", { tags: "long" }, async () => {
    const { world, customer, owner, ada } = await people();
    const made = await owner.manage("POST", linkPath(customer, ada.userId));
    expect(made.status).toBe(201);
    expect(made.body.reset_link).toEqual({
      url: expect.stringMatching(/^http:\/\/tidings\.test\/console\/reset#[\w-]{43}$/),
      expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
    });
    const secret = secretIn(made.body.reset_link.url);
    const elsewhere = new Visitor(world, ada.email);
    await elsewhere.signIn();

    const fresh = new Visitor(world, ada.email);
    expect((await fresh.get("/console/reset")).body).toContain("link.client.js");
    expect((await open(fresh, made.body.reset_link.url)).body).toContain(ada.email);
    const refused = await fresh.post("/console/reset/password", { secret, new_password: NEXT, repeated: "other" });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("The passwords do not match.");
    expect(refused.body).not.toContain(NEXT);
    expect((await fresh.reset(secret, "short")).body).toContain("Must have at least 10 characters.");

    expect((await fresh.reset(secret, NEXT)).status).toBe(303);
    expect(await isSignedIn(fresh)).toBe(true);
    expect(await isSignedIn(ada)).toBe(false);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(owner)).toBe(true);
    expect((await new Visitor(world, ada.email).signIn()).status).toBe(401);
    expect((await new Visitor(world, ada.email).signIn(NEXT)).status).toBe(303);

    const again = await new Visitor(world).reset(secret, "yet another password");
    expect(again.status).toBe(409);
    expect(again.body).toContain("This link was already used. Ask for a new one.");
    expect((await new Visitor(world, ada.email).signIn(NEXT)).status).toBe(303);
  });

  it("A reset link can be used once, even with concurrent requests", async () => {
    const { world, customer, ada } = await people();
    const secret = await customer.resetLink(ada.userId);
    const passwords = Array.from({ length: 4 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(passwords.map((password) => new Visitor(world).reset(secret, password)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409, 409, 409]);
    const won = passwords[answers.findIndex(({ status }) => status === 303)] ?? "";
    expect((await new Visitor(world, ada.email).signIn(won)).status).toBe(303);
  });

  it("A reset link expires after an hour or when a new link is created, and only its hash is stored", async () => {
    const { world, customer, ada } = await people();
    const [first, second] = [await customer.resetLink(ada.userId), await customer.resetLink(ada.userId)];
    expect((await open(new Visitor(world), first)).status).toBe(404);
    const { results } = await env.DB.prepare("SELECT * FROM reset_links WHERE user_id = ?").bind(ada.userId).all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(second);
    world.advance(HOUR_MS - 1);
    expect((await open(new Visitor(world), second)).status).toBe(200);
    world.advance(1);
    for (const late of [await open(new Visitor(world), second), await new Visitor(world).reset(second, NEXT)]) {
      expect(late.status).toBe(409);
      expect(late.body).toContain("This link has expired. Ask for a new one.");
    }
  });

  it("A reset link also works while the account is locked", async () => {
    const { world, customer, ada } = await people();
    await env.DB.prepare("INSERT OR REPLACE INTO sign_in_attempts VALUES (?, 101, ?)")
      .bind(`account ${ada.email}`, Date.now() + HOUR_MS)
      .run();
    const locked = new Visitor(world, ada.email);
    expect((await locked.signIn()).status).toBe(429);
    expect((await locked.reset(await customer.resetLink(ada.userId), NEXT)).status).toBe(303);
    expect(await isSignedIn(locked)).toBe(true);
    await locked.post("/console/sign-out");
    expect((await locked.signIn(NEXT)).status).toBe(303);
  });
});

describe("New reset links", () => {
  it("Owners and the operator can create reset links, but only for members of the workspace", async () => {
    const { world, customer, ada } = await people();
    const admin = await customer.member("admin");
    const other = await world.customer();
    const stranger = await other.member("owner");
    for (const visitor of [admin, ada]) {
      const refused = await visitor.manage("POST", linkPath(customer, ada.userId));
      expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
      const page = `/console/${customer.workspaceId}/settings/members/${ada.userId}/reset-link`;
      expect((await visitor.post(page)).status).toBe(403);
    }
    expect((await stranger.manage("POST", linkPath(customer, ada.userId))).status).toBe(403);
    expect((await stranger.manage("POST", linkPath(other, ada.userId))).status).toBe(404);
    expect((await other.manage("POST", `/members/${ada.userId}/reset-link`)).status).toBe(404);
    expect((await customer.manage("POST", "/members/usr_unknown/reset-link")).status).toBe(404);
  });

  it("Only the operator can create a reset link for a member of more than one workspace", async () => {
    const { world, customer, owner, ada } = await people();
    const other = await world.customer();
    await ada.post("/console/invitations/join", { secret: await other.invite(ada.email, "agent") });
    const refused = await owner.manage("POST", linkPath(customer, ada.userId));
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    expect(refused.body.error.message).toContain("Only the operator of this service can create this link.");
    const secret = await customer.resetLink(ada.userId);
    expect((await new Visitor(world).reset(secret, NEXT)).status).toBe(303);
  });

  it("A reset link stops working if its creator is no longer allowed to create it", async () => {
    const { world, customer, owner, ada } = await people();
    const second = await customer.member("owner");
    const make = async (by: Visitor) =>
      secretIn((await by.manage("POST", linkPath(customer, ada.userId))).body.reset_link.url);
    const refuses = async (secret: string) => {
      expect((await new Visitor(world).reset(secret, NEXT)).status).toBe(409);
      expect((await open(new Visitor(world), secret)).status).toBe(409);
    };

    const ofFormerOwner = await make(second);
    await customer.manage("PATCH", `/members/${second.userId}`, { role: "admin" });
    await refuses(ofFormerOwner);

    const beforeJoining = await make(owner);
    const other = await world.customer();
    await ada.post("/console/invitations/join", { secret: await other.invite(ada.email, "agent") });
    await refuses(beforeJoining);
    expect((await new Visitor(world, ada.email).signIn()).status).toBe(303);

    await other.manage("DELETE", `/members/${ada.userId}`);
    const beforeLeaving = await make(owner);
    await customer.manage("DELETE", `/members/${ada.userId}`);
    await refuses(beforeLeaving);
  });

  it("When a member sets a password with an owner's reset link, the operator's confirmation of the member is removed", async () => {
    const { world, customer, owner, ada } = await people();
    const confirmed = async () =>
      (await customer.manage("GET", "/members")).body.members.find(({ id }: { id: string }) => id === ada.userId)
        .is_confirmed;
    await customer.manage("POST", `/members/${ada.userId}/confirm`);
    await new Visitor(world).reset(await customer.resetLink(ada.userId), NEXT);
    expect(await confirmed()).toBe(true);
    const made = await owner.manage("POST", linkPath(customer, ada.userId));
    await new Visitor(world).reset(secretIn(made.body.reset_link.url), NEXT);
    expect(await confirmed()).toBe(false);
  });

  it("The members page shows a reset link once", async () => {
    const { customer, owner, ada } = await people();
    const members = `/console/${customer.workspaceId}/settings/members`;
    const made = await owner.post(`${members}/${ada.userId}/reset-link`);
    expect(made.status).toBe(200);
    const [, secret = ""] = /\/console\/reset#([\w-]{43})/.exec(made.body) ?? [];
    expect(made.body).toContain(`Reset link for ${ada.email}`);
    expect((await owner.get(members)).body).not.toContain(secret);
    expect((await new Visitor(customer.world).reset(secret, NEXT)).status).toBe(303);
    const page = await owner.post(`${members}/usr_unknown/reset-link`);
    expect(page.status).toBe(303);
    expect((await owner.get(members)).body).toContain("No such member.");
  });

  it("Submitting a form again creates a new reset or invitation link, and the page says that earlier links do not work", async () => {
    const { customer, owner, ada } = await people();
    const members = `/console/${customer.workspaceId}/settings/members`;
    const [, once = ""] = /name="once" value="([^"]*)"/.exec((await owner.get(members)).body) ?? [];
    const secretsOf = async (below: string, fields: Record<string, string>, link: RegExp) => {
      const answers = [await owner.post(members + below, fields), await owner.post(members + below, fields)];
      for (const { body } of answers) expect(body).toContain("Earlier links for this person no longer work");
      return answers.map(({ body }) => link.exec(body)?.[1] ?? "");
    };
    const [first = "", second = ""] = await secretsOf(
      `/${ada.userId}/reset-link`,
      { once },
      /\/console\/reset#([\w-]{43})/,
    );
    expect((await new Visitor(customer.world).reset(first, NEXT)).status).toBe(404);
    expect((await new Visitor(customer.world).reset(second, NEXT)).status).toBe(303);
    const invited = { once, email: "new@example.com", role: "agent" };
    expect(new Set(await secretsOf("/invite", invited, /\/console\/invitations#([\w-]{43})/)).size).toBe(2);
  });
});
