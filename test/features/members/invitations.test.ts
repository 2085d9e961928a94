import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { Visitor } from "../../support/visitor.ts";
import { type Customer, secretIn, World } from "../../support/world.ts";

beforeEach(stopClock);

const DAY_MS = 86_400_000;

const rolesIn = async (customer: Customer) => {
  const { members } = (await customer.manage("GET", "/members")).body;
  return Object.fromEntries(members.map(({ email, role }: { email: string; role: string }) => [email, role]));
};

/** Returns the text of a page without the parts that depend on link and email. */
const wording = (page: string, ...parts: string[]) =>
  parts
    .reduce((text, part) => text.replaceAll(part, "…"), page)
    .replace(/csrf-token" content="[^"]*"/, "")
    .replaceAll(/name="once" value="form_[0-9a-z]{26}"/g, "");

describe("Invitations", () => {
  it("An invitation link creates a user and a membership, and signs the person in", async () => {
    const customer = await new World().customer();
    const created = await customer.manage("POST", "/invitations", { email: " Ada@Example.COM ", role: "admin" });
    expect(created.status).toBe(201);
    expect(created.body.invitation).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      url: expect.stringMatching(/^http:\/\/tidings\.test\/console\/invitations#[\w-]{43}$/),
      expires_at: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    });
    const secret = secretIn(created.body.invitation.url);
    const ada = new Visitor(customer.world, "ada@example.com");
    const page = await ada.openInvitation(secret);
    expect(page.status).toBe(200);
    expect(page.body).toContain("Join Acme");
    expect(page.body).toContain("ada@example.com");

    const joined = await ada.signUp(secret);
    expect(joined).toMatchObject({ status: 303 });
    expect(joined.headers.get("Location")).toBe(`/console/${customer.workspaceId}`);
    expect((await ada.get("/console")).body).toContain("You joined Acme.");
    expect(await rolesIn(customer)).toEqual({ "ada@example.com": "admin" });
    expect((await customer.manage("GET", "/invitations")).body.invitations).toEqual([]);
  });

  it("No requested URL contains an invitation's secret, because the page reads it from the fragment or from pasted text", async () => {
    const customer = await new World().customer();
    const { invitation } = (await customer.manage("POST", "/invitations", { email: "ada@link.example", role: "agent" }))
      .body;
    const url = new URL(invitation.url);
    const ada = new Visitor(customer.world, "ada@link.example");
    const page = await ada.get(url.pathname);
    expect(page.status).toBe(200);
    expect(page.body).toMatch(/<form[^>]* id="link"/);
    expect(page.body).toMatch(/src="\/console\/assets\/\w+\/link\.client\.js"/);
    expect(page.headers.get("Content-Security-Policy")).not.toContain("unsafe-inline");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect((await ada.openInvitation(` ${invitation.url} `)).body).toContain("Join Acme");
    const nothing = await ada.openInvitation("");
    expect(nothing.status).toBe(400);
    const wrong = await ada.openInvitation("never-given-out");
    expect(wrong.status).toBe(404);
    expect(wrong.body).toContain("No such invitation.");
    for (const answer of [page, wrong, await ada.openInvitation(secretIn(invitation.url))])
      for (const [, action = ""] of String(answer.body).matchAll(/(?:action|href|src)="([^"]*)"/g))
        expect(action).not.toContain(secretIn(invitation.url));
  });

  it("An invitation link in the format of earlier versions redirects to a link with the secret in the fragment", async () => {
    const customer = await new World().customer();
    const secret = await customer.invite("ada@earlier.example", "agent");
    const moved = await new Visitor(customer.world).request("GET", `/console/invitations/${secret}`);
    expect(moved.status).toBe(303);
    expect(moved.headers.get("Location")).toBe(`/console/invitations#${secret}`);
  });

  it("An invitation requires a valid role, and a valid email that belongs to no member", async () => {
    const customer = await new World().customer();
    const faults = await customer.manage("POST", "/invitations", { email: "ada", role: "king" });
    expect(faults.body.error.details.map(({ path }: { path: string }) => path)).toEqual(["email", "role"]);
    const { email, userId } = await customer.member("agent");
    const again = await customer.manage("POST", "/invitations", { email: email.toUpperCase(), role: "owner" });
    expect(again).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", details: { field: "email", user_id: userId } } },
    });
  });

  it("An invitation can be accepted once, even with concurrent requests", async () => {
    const customer = await new World().customer();
    const secret = await customer.invite("ada@once.example", "agent");
    const visitors = Array.from({ length: 5 }, () => new Visitor(customer.world));
    const answers = await Promise.all(visitors.map((visitor) => visitor.signUp(secret)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await rolesIn(customer)).toEqual({ "ada@once.example": "agent" });
    const late = await new Visitor(customer.world).openInvitation(secret);
    expect(late.status).toBe(409);
    expect(late.body).toContain("This invitation was already accepted. Sign in instead.");
  });

  it("An invitation expires after seven days, and ends when it is revoked or the same email is invited again", async () => {
    const customer = await new World().customer();
    const somebody = new Visitor(customer.world);
    const first = await customer.invite("ada@ends.example", "agent");
    const second = await customer.invite("ada@ends.example", "owner");
    expect((await customer.manage("GET", "/invitations")).body.invitations).toHaveLength(1);
    expect((await somebody.signUp(first)).status).toBe(404);
    const { id } = (await customer.manage("GET", "/invitations")).body.invitations[0];

    customer.world.advance(7 * DAY_MS - 1);
    expect((await somebody.openInvitation(second)).status).toBe(200);
    customer.world.advance(1);
    const expired = await somebody.signUp(second);
    expect(expired.status).toBe(409);
    expect(expired.body).toContain("This invitation has expired. Ask for a new one.");

    expect((await customer.manage("DELETE", `/invitations/${id}`)).body.invitation.email).toBe("ada@ends.example");
    expect((await somebody.openInvitation(second)).status).toBe(404);
    expect((await customer.manage("DELETE", `/invitations/${id}`)).status).toBe(404);
    expect(await rolesIn(customer)).toEqual({});
  });

  it("Accepting an invitation requires a name and a good password, and shows every error next to its field", async () => {
    const customer = await new World().customer();
    const secret = await customer.invite("ada@faults.example", "agent");
    const answer = await new Visitor(customer.world).signUp(secret, "short");
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/id="sign-up-password-fault">Must have at least 10 characters\./);
    expect(answer.body).toContain('value="Ada"');
    expect(answer.body).not.toContain("short");
    const ids = [...answer.body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect((await new Visitor(customer.world).signUp(secret)).status).toBe(303);
  });

  it("A user accepts an invitation with their password, or with a button if they are signed in", async () => {
    const world = new World();
    const [home, away, third] = [await world.customer(), await world.customer(), await world.customer()];
    const ada = await home.member("owner");
    const secret = await away.invite(ada.email, "agent");
    const elsewhere = new Visitor(world, ada.email);
    const wrong = await elsewhere.signInAndJoin(secret, "wrong password");
    expect(wrong.status).toBe(401);
    expect(wrong.body).toContain("The email or password is incorrect.");
    expect(await rolesIn(away)).toEqual({});
    expect((await elsewhere.signInAndJoin(secret)).status).toBe(303);
    expect(await rolesIn(away)).toEqual({ [ada.email]: "agent" });

    const another = await third.invite(ada.email, "admin");
    expect((await ada.openInvitation(another)).body).not.toContain("Set a password");
    expect((await ada.post("/console/invitations/join", { secret: another })).status).toBe(303);
    expect(await rolesIn(third)).toEqual({ [ada.email]: "admin" });
    expect(await ada.workspaces()).toEqual([home, away, third].map(({ workspaceId }) => workspaceId).toSorted());
  });

  it("The page of an invitation does not reveal whether a user has the email", async () => {
    const world = new World();
    const [home, away] = [await world.customer(), await world.customer()];
    const { email } = await home.member("owner");
    const pages = [];
    for (const invited of [email, "nobody@new.example"]) {
      const secret = await away.invite(invited, "agent");
      const visitor = new Visitor(world);
      const [page, refused] = [
        await visitor.openInvitation(secret),
        await visitor.signInAndJoin(secret, "wrong password"),
      ];
      expect(page.body).toContain("Set a password");
      expect(page.body).toContain("Sign in and join");
      pages.push([page.status, refused.status, ...[page, refused].map(({ body }) => wording(body, secret, invited))]);
    }
    expect(pages[0]).toEqual(pages[1]);
  });

  it("A signed-in user cannot accept an invitation to a different email", async () => {
    const world = new World();
    const [home, away] = [await world.customer(), await world.customer()];
    const [ada, bo] = [await home.member("owner"), await home.member("agent")];
    const secret = await away.invite(ada.email, "owner");
    expect((await bo.openInvitation(secret)).body).toContain(`You are signed in as ${bo.email}.`);
    expect((await bo.post("/console/invitations/join", { secret })).status).toBe(403);
    expect(await rolesIn(away)).toEqual({});
  });
});
