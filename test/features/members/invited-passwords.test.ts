import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { PASSWORD, Visitor } from "../../support/visitor.ts";
import { type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const SQUATTED = "a password of the squatter";

const newEmail = () => `victim-${crypto.randomUUID()}@b.example`;

const memberOf = async (customer: Customer, email: string) =>
  (await customer.manage("GET", "/members")).body.members.find((member: { email: string }) => member.email === email);

const putAttempts = (key: string, count: number) =>
  env.DB.prepare("INSERT OR REPLACE INTO sign_in_attempts VALUES (?, ?, ?)")
    .bind(key, count, Date.now() + 900_000)
    .run();

const isSignedIn = async (visitor: Visitor) => (await visitor.request("GET", "/console/password")).status === 200;

/** A stranger has accepted an invitation to the first workspace with a person's email. */
async function squatted() {
  const world = new World();
  const [mine, theirs] = [await world.customer(), await world.customer()];
  const email = newEmail();
  const squatter = new Visitor(world, email);
  await squatter.signUp(await mine.invite(email, "agent"), SQUATTED, "Squatter");
  return { world, mine, theirs, email, squatter };
}

describe("Passwords set by strangers", () => {
  it("If a stranger set a password for a person's email, the person can still sign in, and the stranger cannot open the person's workspace", async () => {
    const { world, mine, theirs, email, squatter } = await squatted();
    const victim = new Visitor(world, email);
    expect((await victim.signUp(await theirs.invite(email, "owner"), PASSWORD, "Victim")).status).toBe(303);
    expect(await victim.workspaces()).toEqual([theirs.workspaceId]);
    expect((await new Visitor(world, email).signIn()).status).toBe(303);

    await squatter.signIn(SQUATTED);
    expect(await squatter.workspaces()).toEqual([mine.workspaceId]);
    expect((await squatter.get(`/console/${theirs.workspaceId}/settings/members`)).status).toBe(403);
    expect((await squatter.manage("GET", `/workspaces/${theirs.workspaceId}/members`)).status).toBe(403);
    expect((await new Visitor(world, email).signIn(`${SQUATTED}!`)).status).toBe(401);
    expect((await memberOf(theirs, email)).name).toBe("Victim");
    expect((await memberOf(mine, email)).name).toBe("Squatter");
  });

  it("A password that was set through an invitation does not open workspaces that the email belonged to before", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const victim = await theirs.member("owner");
    const squatter = new Visitor(world, victim.email);
    expect((await squatter.signUp(await mine.invite(victim.email, "agent"), SQUATTED)).status).toBe(303);
    expect(await squatter.workspaces()).toEqual([mine.workspaceId]);
    expect(await victim.workspaces()).toEqual([theirs.workspaceId]);
    expect(await isSignedIn(victim)).toBe(true);
    await squatter.post("/console/sign-out-everywhere");
    expect(await isSignedIn(victim)).toBe(true);
    expect((await new Visitor(world, victim.email).signIn()).status).toBe(303);
  });

  it("A stranger who changes their own password gets no additional attempts at the owner's password", async () => {
    const { world, theirs, email, squatter } = await squatted();
    await new Visitor(world, email).signUp(await theirs.invite(email, "owner"));
    let current = SQUATTED;
    const statuses = [];
    await putAttempts(`pair ${email} 203.0.113.99`, 3);
    for (let index = 0; index < 3; index++) {
      const next = `guess number ${index}`;
      await squatter.get("/console/password");
      await squatter.post("/console/password", { current_password: current, new_password: next, repeated: next });
      current = next;
      statuses.push((await new Visitor(world, email).signIn(next, { from: "203.0.113.99" })).status);
    }
    expect(statuses).toEqual([303, 303, 429]);
  });
});

describe("Passwords set through invitations", () => {
  it("After a person accepts a second workspace's invitation with their password, the password opens both workspaces", async () => {
    const world = new World();
    const [first, second] = [await world.customer(), await world.customer()];
    const ada = await first.member("agent");
    const secret = await second.invite(ada.email, "admin");
    expect(await ada.workspaces()).toEqual([first.workspaceId]);
    const elsewhere = new Visitor(world, ada.email);
    await elsewhere.signInAndJoin(secret);
    expect(await ada.workspaces()).toEqual([first.workspaceId, second.workspaceId].toSorted());
    expect((await memberOf(second, ada.email)).id).toBe(ada.userId);
  });

  it("Two users with the same email and password are merged by the next sign-in", async () => {
    const world = new World();
    const [first, second] = [await world.customer(), await world.customer()];
    const ada = await first.member("agent");
    world.advance(1000); // if both users were created in the same millisecond, either can remain
    const again = new Visitor(world, ada.email);
    await again.signUp(await second.invite(ada.email, "admin"), PASSWORD, "Ada again");
    expect(await again.workspaces()).toEqual([second.workspaceId]);
    const signedIn = new Visitor(world, ada.email);
    expect((await signedIn.signIn()).status).toBe(303);
    expect(await signedIn.workspaces()).toEqual([first.workspaceId, second.workspaceId].toSorted());
    expect((await memberOf(second, ada.email)).id).toBe(ada.userId);
    expect(await isSignedIn(again)).toBe(false);
    const { results } = await env.DB.prepare("SELECT id FROM users WHERE email = ?").bind(ada.email).all();
    expect(results).toEqual([{ id: ada.userId }]);
  });

  it("A person with several invitation links becomes a member of a workspace only once", async () => {
    const world = new World();
    const customer = await world.customer();
    const email = newEmail();
    const late = await customer.invite(email, "owner");
    // Inserts the invitation again, as if it had been created while the first invitation was accepted.
    const kept = await env.DB.prepare("SELECT * FROM invitations WHERE email = ?").bind(email).first();
    const first = new Visitor(world, email);
    await first.signUp(await customer.invite(email, "agent"));
    await env.DB.prepare("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(...Object.values(kept ?? {}))
      .run();
    const refused = await new Visitor(world, email).signUp(late, "another password");
    expect(refused.status).toBe(409);
    expect(refused.body).toContain("This email already belongs to a member of the workspace. Sign in instead.");
    const { members } = (await customer.manage("GET", "/members")).body;
    expect(members).toMatchObject([{ email, role: "agent" }]);
  });

  it("When an invited person sets a password, their user replaces users who have the same email but no workspace", async () => {
    const world = new World();
    const customer = await world.customer();
    const ada = await customer.member("agent");
    for (let round = 0; round < 3; round++) {
      const { id } = await memberOf(customer, ada.email);
      await customer.manage("DELETE", `/members/${id}`);
      await new Visitor(world, ada.email).signUp(
        await customer.invite(ada.email, "agent"),
        `password ${round} of many`,
      );
    }
    expect(await isSignedIn(ada)).toBe(false);
    const { results } = await env.DB.prepare("SELECT id FROM users WHERE email = ?").bind(ada.email).all();
    expect(results).toHaveLength(1);
  });
});

describe("Confirmed members", () => {
  const confirm = (customer: Customer, id: string) => customer.manage("POST", `/members/${id}/confirm`);

  it("When the operator confirms a member, the member gets all workspaces of their email, and the email's other passwords and sessions end", async () => {
    const { world, mine, theirs, email, squatter } = await squatted();
    const victim = new Visitor(world, email);
    await victim.signUp(await theirs.invite(email, "owner"), PASSWORD, "Victim");
    const { id } = await memberOf(theirs, email);
    const link = await mine.resetLink((await memberOf(mine, email)).id);

    const confirmed = await confirm(theirs, id);
    expect(confirmed).toMatchObject({
      status: 200,
      body: { member: { id, email, is_confirmed: true, role: "owner" } },
    });
    expect(await victim.workspaces()).toEqual([mine.workspaceId, theirs.workspaceId].toSorted());
    expect(await memberOf(mine, email)).toMatchObject({ id, role: "agent", name: "Victim" });
    expect(await isSignedIn(squatter)).toBe(false);
    expect((await squatter.signIn(SQUATTED)).status).toBe(401);
    expect((await squatter.reset(link, SQUATTED)).status).toBe(404);
    expect((await confirm(theirs, id)).body.member).toEqual(confirmed.body.member);
    expect((await victim.get(`/console/${theirs.workspaceId}/settings/members`)).body).toContain("Confirmed");
  });

  it("Only the operator can confirm a member, and only in the workspace of the member", async () => {
    const { mine, theirs, email } = await squatted();
    const { id } = await memberOf(mine, email);
    const owner = await mine.member("owner");
    const at = `/workspaces/${mine.workspaceId}/members/${id}/confirm`;
    expect(await owner.manage("POST", at)).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    expect((await confirm(theirs, id)).status).toBe(404);
    expect((await confirm(mine, "usr_unknown")).status).toBe(404);
    expect((await memberOf(mine, email)).is_confirmed).toBe(false);
  });

  it("If confirming a member fails, no user changes", async () => {
    const { world, mine, theirs, email, squatter } = await squatted();
    const victim = new Visitor(world, email);
    await victim.signUp(await theirs.invite(email, "owner"));
    const { id } = await memberOf(theirs, email);
    await env.DB.prepare(
      "CREATE TRIGGER refuse_confirmation BEFORE UPDATE OF email_verified ON users BEGIN SELECT RAISE(ABORT, 'down'); END",
    ).run();
    try {
      expect((await confirm(theirs, id)).status).toBe(500);
    } finally {
      await env.DB.prepare("DROP TRIGGER refuse_confirmation").run();
    }
    expect(await squatter.workspaces()).toEqual([mine.workspaceId]);
    expect(await victim.workspaces()).toEqual([theirs.workspaceId]);
    expect((await confirm(theirs, id)).status).toBe(200);
  });
});
