import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { recordedWorld } from "../../support/recording.ts";
import { PASSWORD, Visitor } from "../../support/visitor.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

const WRONG = "wrong password";
const MINUTE = 60_000;

/** Returns a different address of the network at each call. */
let hosts = 0;
const inOneNetwork = (network: string) => `${network}:${(++hosts).toString(16)}:${crypto.randomUUID().slice(0, 4)}:0:1`;
const newNetwork = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}`;

const attemptsOn = async (key: string) =>
  (await env.DB.prepare("SELECT count FROM sign_in_attempts WHERE key = ?").bind(key).first<{ count: number }>())
    ?.count ?? 0;

const putAttempts = (key: string, count: number) =>
  env.DB.prepare("INSERT OR REPLACE INTO sign_in_attempts VALUES (?, ?, ?)")
    .bind(key, count, Date.now() + 15 * MINUTE)
    .run();

const spendAccount = (email: string) => putAttempts(`account ${email}`, 101);

/** A browser on which the user's session has ended. Only the device cookie is left. */
function onDeviceOf(known: Visitor): Visitor {
  const visitor = new Visitor(known.world, known.email);
  visitor.cookies.set("tidings-device", known.cookies.get("tidings-device") ?? "");
  return visitor;
}

const accountOf = async () => {
  const world = new World();
  const ada = await (await world.customer()).invitedMember("owner");
  return { world, ada, email: ada.email };
};

describe("Password guessing", () => {
  it("Sign-in attempts from one IPv6 network count together and do not lock out other networks", async () => {
    const { world, email } = await accountOf();
    const network = newNetwork();
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => new Visitor(world, email).signIn(WRONG, { from: inOneNetwork(network) })),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(15);
    expect(await attemptsOn(`account ${email}`)).toBe(5);
    expect((await new Visitor(world, email).signIn(PASSWORD, { from: inOneNetwork(newNetwork()) })).status).toBe(303);
  });

  it("Sign-in attempts from an IPv4 address in IPv6 notation count for the IPv4 address", async () => {
    const { world, email } = await accountOf();
    await putAttempts(`pair ${email} 198.51.100.77`, 5);
    for (const from of ["::ffff:198.51.100.77", "::ffff:c633:644d"])
      expect((await new Visitor(world, email).signIn(PASSWORD, { from })).status).toBe(429);
  });

  it("A rejected sign-in attempt on one account does not count for other accounts", async () => {
    const { world, email } = await accountOf();
    const from = "198.51.100.78";
    await putAttempts(`pair ${email} ${from}`, 5);
    for (let index = 0; index < 60; index++)
      expect((await new Visitor(world, email).signIn(WRONG, { from })).status).toBe(429);
    expect(await attemptsOn(`pair ${email} ${from}`)).toBe(6);
    expect(await attemptsOn(`address ${from}`)).toBe(0);
    expect(await attemptsOn(`account ${email}`)).toBe(0);
    const colleague = await (await world.customer()).member("agent");
    expect((await new Visitor(world, colleague.email).signIn(PASSWORD, { from })).status).toBe(303);
  });

  it("Rejected sign-in attempts write nothing to the database, and the count of attempts restarts after 15 minutes", async () => {
    const { world: recorded, recording } = recordedWorld();
    const visitor = new Visitor(recorded);
    await putAttempts(`pair ${visitor.email} ${visitor.address}`, 6);
    recording.take();
    expect((await visitor.signIn(WRONG)).status).toBe(429);
    const ran = recording.take();
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBe(0);
    recorded.advance(15 * MINUTE);
    expect((await visitor.signIn(WRONG)).status).toBe(401);
    expect(await attemptsOn(`account ${visitor.email}`)).toBe(1);
  });

  it("The network limiter rejects sign-in attempts before any read or write", async () => {
    const asked: string[] = [];
    const limit = ({ key }: { key: string }) => {
      asked.push(key);
      return Promise.resolve({ success: false });
    };
    const world = new World({ SIGN_IN_LIMITER: { limit } });
    const visitor = new Visitor(world);
    const from = "2001:db8:1:2:3:4:5:6";
    const refused = [
      await visitor.signIn(WRONG, { from }),
      await visitor.post("/console/invitations", { secret: "x" }, { from }),
      await visitor.post("/console/invitations/sign-up", { secret: "x", name: "A", password: PASSWORD }, { from }),
      await visitor.post("/console/reset", { secret: "x" }, { from }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(429);
      expect(answer.body).toContain("Too many attempts. Try again in a minute.");
      expect(answer.headers.get("Server-Timing")).toContain("trips=0");
    }
    expect(new Set(asked)).toEqual(new Set(["2001:db8:1:2::/64"]));
  });
});

describe("Locked accounts", () => {
  it("A person with a locked account can still sign in from a known device or a known network", async () => {
    const { world, ada, email } = await accountOf();
    await spendAccount(email);
    expect((await new Visitor(world, email).signIn()).status).toBe(429);

    const atHome = new Visitor(world, email);
    expect((await atHome.signIn(PASSWORD, { from: ada.address })).status).toBe(303);
    expect((await onDeviceOf(ada).signIn(PASSWORD)).status).toBe(303);
    // A correct password on a known device does not reset the count for other devices.
    expect(await attemptsOn(`account ${email}`)).toBe(101);
    expect((await new Visitor(world, email).signIn()).status).toBe(429);
  });

  it("A known device has five sign-in attempts even if its network is locked", async () => {
    const { world, ada, email } = await accountOf();
    const from = ada.address;
    await putAttempts(`pair ${email} ${from}`, 6);
    expect((await new Visitor(world, email).signIn(PASSWORD, { from })).status).toBe(429);
    expect((await onDeviceOf(ada).signIn(PASSWORD, { from })).status).toBe(303);
    const statuses = [];
    for (let index = 0; index < 6; index++) statuses.push((await onDeviceOf(ada).signIn(WRONG, { from })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await onDeviceOf(ada).signIn(PASSWORD, { from })).status).toBe(429);
  });

  it("A locked account rejects the device cookies of other accounts, and forged and expired device cookies", async () => {
    const { world, ada, email } = await accountOf();
    const stranger = await (await world.customer()).member("owner");
    const own = ada.cookies.get("tidings-device") ?? "";
    const [userId = "", id = "", until = "", sum = ""] = own.split(".");
    const forged = [
      stranger.cookies.get("tidings-device") ?? "",
      `${userId}.${id}.${until}.${sum}x`,
      `${userId}.${id}x.${until}.${sum}`,
      `${userId}.${id}.${Number(until) + 1}.${sum}`,
      `${stranger.userId}.${id}.${until}.${sum}`,
      "...",
      "x",
    ];
    await spendAccount(email);
    for (const cookie of forged) {
      const visitor = new Visitor(world, email);
      visitor.cookies.set("tidings-device", cookie);
      expect((await visitor.signIn()).status, cookie).toBe(429);
    }
    world.advance(181 * 86_400_000);
    await spendAccount(email);
    expect((await onDeviceOf(ada).signIn()).status).toBe(429);
  });

  it("A device cookie does not sign anybody in", async () => {
    const { ada } = await accountOf();
    const thief = onDeviceOf(ada);
    expect((await thief.request("GET", "/console/password")).status).toBe(303);
    thief.cookies.set("tidings", ada.cookies.get("tidings-device") ?? "");
    expect((await thief.request("GET", "/console/password")).status).toBe(303);
  });

  it("A signed-in person has five attempts to change the password, even if the account is locked", async () => {
    const { ada, email } = await accountOf();
    await spendAccount(email);
    const change = (current: string) =>
      ada.post("/console/password", {
        current_password: current,
        new_password: `${PASSWORD}!`,
        repeated: `${PASSWORD}!`,
      });
    expect((await change(PASSWORD)).status).toBe(303);
    await ada.get("/console/password");
    await putAttempts(`password ${ada.userId}`, 4);
    expect((await change(WRONG)).status).toBe(400);
    expect((await change(PASSWORD)).status).toBe(429);
  });
});
