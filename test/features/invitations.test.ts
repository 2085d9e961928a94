import { beforeEach, describe, expect, it, vi } from "vitest";
import { PASSWORD, Visitor } from "../support/visitor.ts";
import { type Customer, World } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

const DAY_MS = 86_400_000;
const newcomer = { name: "Ada", password: PASSWORD };

const rolesIn = async (customer: Customer) => {
  const { members } = (await customer.manage("GET", "/members")).body;
  return Object.fromEntries(members.map(({ email, role }: { email: string; role: string }) => [email, role]));
};

describe("an invitation", () => {
  it("gives a link that makes the invited person a user and a member, and signs them in", async () => {
    const customer = await new World().customer();
    const created = await customer.manage("POST", "/invitations", { email: " Ada@Example.COM ", role: "admin" });
    expect(created.status).toBe(201);
    expect(created.body.invitation).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      url: expect.stringMatching(/^http:\/\/tidings\.test\/console\/invitations\/[\w-]{43}$/),
      expires_at: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    });
    const { pathname } = new URL(created.body.invitation.url);
    const ada = new Visitor(customer.world, "ada@example.com");
    const page = await ada.get(pathname);
    expect(page.body).toContain("Join Acme");
    expect(page.body).toContain("ada@example.com");

    const joined = await ada.post(pathname, newcomer);
    expect(joined).toMatchObject({ status: 303 });
    expect(joined.headers.get("Location")).toBe(`/console/${customer.workspaceId}`);
    expect((await ada.get("/console")).body).toContain("You have joined Acme.");
    expect(await rolesIn(customer)).toEqual({ "ada@example.com": "admin" });
    expect((await customer.manage("GET", "/invitations")).body.invitations).toEqual([]);
  });

  it("is refused for what is no email or role, and for a member", async () => {
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

  it("works once, however many accept it at the same time", async () => {
    const customer = await new World().customer();
    const path = await customer.invite("ada@once.example", "agent");
    const visitors = Array.from({ length: 5 }, () => new Visitor(customer.world));
    const answers = await Promise.all(visitors.map((visitor) => visitor.post(path, newcomer)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await rolesIn(customer)).toEqual({ "ada@once.example": "agent" });
    const late = await new Visitor(customer.world).get(path);
    expect(late.status).toBe(409);
    expect(late.body).toContain("This invitation has been accepted already. Sign in instead.");
  });

  it("ends after seven days, when it is revoked, and when the same email is invited again", async () => {
    const customer = await new World().customer();
    const somebody = new Visitor(customer.world);
    const first = await customer.invite("ada@ends.example", "agent");
    const second = await customer.invite("ada@ends.example", "owner");
    expect((await customer.manage("GET", "/invitations")).body.invitations).toHaveLength(1);
    expect((await somebody.post(first, newcomer)).status).toBe(404);
    const { id } = (await customer.manage("GET", "/invitations")).body.invitations[0];

    customer.world.advance(7 * DAY_MS - 1);
    expect((await somebody.get(second)).status).toBe(200);
    customer.world.advance(1);
    const expired = await somebody.post(second, newcomer);
    expect(expired.status).toBe(409);
    expect(expired.body).toContain("This invitation has expired. Ask for a new one.");

    expect((await customer.manage("DELETE", `/invitations/${id}`)).body.invitation.email).toBe("ada@ends.example");
    expect((await somebody.get(second)).status).toBe(404);
    expect((await customer.manage("DELETE", `/invitations/${id}`)).status).toBe(404);
    expect(await rolesIn(customer)).toEqual({});
  });

  it("wants a name and a password worth the name from somebody new, and tells every fault beside its field", async () => {
    const customer = await new World().customer();
    const path = await customer.invite("ada@faults.example", "agent");
    const answer = await new Visitor(customer.world).post(path, { name: "Ada", password: "short" });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain("At least 10 characters.");
    expect(answer.body).toContain('value="Ada"');
    expect(answer.body).not.toContain("short");
    expect((await new Visitor(customer.world).post(path, newcomer)).status).toBe(303);
  });

  it("is accepted by a user with their password, or by a button when they are signed in", async () => {
    const world = new World();
    const [home, away, third] = [await world.customer(), await world.customer(), await world.customer()];
    const ada = await home.member("owner");
    const path = await away.invite(ada.email, "agent");
    const elsewhere = new Visitor(world, ada.email);
    expect((await elsewhere.get(path)).body).toContain("Sign in and join");
    const wrong = await elsewhere.post(`${path}/sign-in`, { password: "wrong password" });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toContain("The email or the password is not right.");
    expect(await rolesIn(away)).toEqual({});
    expect((await elsewhere.post(`${path}/sign-in`, { password: PASSWORD })).status).toBe(303);
    expect(await rolesIn(away)).toEqual({ [ada.email]: "agent" });

    const another = await third.invite(ada.email, "admin");
    await ada.get(another);
    expect((await ada.post(`${another}/join`)).status).toBe(303);
    expect(await rolesIn(third)).toEqual({ [ada.email]: "admin" });
    expect((await ada.get("/console/workspaces")).body.match(/\/console\/ws_\w+/g)).toHaveLength(3);
  });

  it("is nobody else's, and gives somebody who has a password no new one", async () => {
    const world = new World();
    const [home, away] = [await world.customer(), await world.customer()];
    const [ada, bo] = [await home.member("owner"), await home.member("agent")];
    const path = await away.invite(ada.email, "owner");
    expect((await bo.get(path)).body).toContain(`You are signed in as ${bo.email}.`);
    expect((await bo.post(`${path}/join`)).status).toBe(403);
    const thief = new Visitor(world);
    expect((await thief.post(path, { name: "Thief", password: "another password" })).status).toBe(409);
    expect(await rolesIn(away)).toEqual({});
    expect((await new Visitor(world, ada.email).signIn("another password")).status).toBe(401);
  });
});
