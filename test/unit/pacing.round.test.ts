import { describe, expect, it } from "vitest";
import type { Grant, GrantReport } from "../../src/features/pacing/pacing.schemas.ts";
import { messagesIn, PumpPlay, START } from "../support/pump-play.ts";

const SECOND = 1000;
const ID = "cmp_0";

/** A pump with one campaign, which has work. The test sends the reports of consumers. */
function running(rate = 80): PumpPlay {
  const play = new PumpPlay({ rate, report: () => null });
  play.run(ID);
  return play;
}

/** Runs the next ticks. Each tick must issue one grant. */
function nextGrants(play: PumpPlay, count = 1): Grant[] {
  const before = play.grants.length;
  play.until(play.now + (count - 1) * 260);
  while (play.grants.length < before + count) play.until(play.now + 1);
  return play.grants.slice(before);
}

function nextGrant(play: PumpPlay): Grant {
  const [grant] = nextGrants(play);
  if (grant === undefined) throw new Error("No grant was given.");
  return grant;
}

describe("Campaigns on a connection", () => {
  it("A campaign receives leases while its consumers report more work, and is removed when they report none", () => {
    const play = running();
    play.report(nextGrant(play), "more");
    play.report(nextGrant(play), "nothing");
    expect(play.pump.nextAt()).toBe(Infinity);
    expect(play.pump.findCampaign(ID)).toBeNull();
    play.run(ID);
    expect(nextGrant(play)).toMatchObject({ campaignId: ID, size: 40, connectionId: "conn_1" });
  });

  it("If a consumer reports that a campaign has work later, the campaign receives its next lease at that time", () => {
    const play = running();
    play.report(nextGrant(play), START + 30 * SECOND);
    expect(play.pump.nextAt()).toBe(START + 30 * SECOND);
    play.until(START + 40 * SECOND);
    expect(play.grants[1]?.at).toBe(START + 30 * SECOND);
  });

  it("A campaign that waits for later work receives a lease immediately if it is started again", () => {
    const play = running();
    play.report(nextGrant(play), START + 30 * SECOND);
    play.until(START + SECOND);
    play.run(ID);
    expect(nextGrant(play).at).toBe(START + SECOND);
  });

  it.each<["nothing" | number]>([["nothing"], [START + 30 * SECOND]])(
    "A campaign that runs again after a grant still receives leases, although the grant's consumer reports %s",
    (next) => {
      const play = running();
      const grant = nextGrant(play);
      play.run(ID);
      play.report(grant, next);
      play.report(nextGrant(play), "nothing");
      expect(play.pump.nextAt()).toBe(Infinity);
    },
  );

  it("If a removed campaign is started again, late reports of its earlier grants do not remove it", () => {
    const play = running();
    const [first, second] = nextGrants(play, 2);
    if (first === undefined || second === undefined) throw new Error("Two grants are needed.");
    play.report(first, "nothing");
    play.run(ID);
    play.report(second, "nothing");
    expect(nextGrant(play).campaignId).toBe(ID);
  });

  it.each<[GrantReport["next"], GrantReport["next"], number]>([
    ["nothing", "more", START + 300],
    ["nothing", START + 5 * SECOND, START + 5 * SECOND],
    [START + 5 * SECOND, "nothing", START + 5 * SECOND],
    [START + 9 * SECOND, START + 5 * SECOND, START + 5 * SECOND],
    [START + 5 * SECOND, START + 9 * SECOND, START + 5 * SECOND],
    [START + 5 * SECOND, "more", START + 300],
  ])(
    "If one of two grants reports work for a campaign, the campaign stays ready for its work: %s and %s",
    (one, other, expected) => {
      const play = running();
      const [first, second] = nextGrants(play, 2);
      if (first === undefined || second === undefined) throw new Error("Two grants are needed.");
      play.until(START + 300);
      play.report(first, one);
      play.report(second, other);
      expect(play.pump.findCampaign(ID)?.readyAt).toBe(expected);
    },
  );

  it("Until its consumers report, a campaign receives grants for at most 10 s of messages at the connection's rate", () => {
    for (const [rate, most] of [
      [1, 10],
      [80, 800],
      [1000, 10_000],
    ] as const) {
      const play = running(rate);
      play.until(START + 50 * SECOND);
      expect(messagesIn(play.left, START, Infinity)).toBe(most);
      const [oldest] = play.grants;
      if (oldest === undefined) throw new Error("No grant was given.");
      play.report(oldest, "more");
      play.until(START + 51.1 * SECOND);
      expect(messagesIn(play.left, START, Infinity)).toBe(most + oldest.size);
    }
  });

  it("A campaign without reports does not delay another campaign", () => {
    const play = new PumpPlay({
      rate: 80,
      report: ({ campaignId }) => (campaignId === ID ? null : { afterMs: 50, next: "more" }),
    });
    play.run(ID, "cmp_1");
    play.until(START + 50 * SECOND);
    const others = play.left.filter(({ campaignId }) => campaignId === "cmp_1");
    expect(messagesIn(others, START + 30 * SECOND, START + 50 * SECOND)).toBeGreaterThanOrEqual(1520);
  });

  it("A campaign continues when its unreported grants expire after 60 s", () => {
    const play = running();
    play.until(START + 59 * SECOND);
    const before = play.grants.length;
    expect(play.pump.nextAt()).toBe(START + 60 * SECOND);
    play.until(START + 75 * SECOND);
    expect(play.grants[before]?.at).toBe(START + 60 * SECOND);
    expect(messagesIn(play.left, START + 60 * SECOND, Infinity)).toBe(800);
  });

  it("A campaign does not wait for reports of grants that could not be queued", () => {
    const play = running();
    play.until(START + 59 * SECOND);
    play.pump.withdraw(play.grants.slice(0, 1));
    play.until(START + 59.5 * SECOND);
    expect(messagesIn(play.left, START, Infinity)).toBe(840);
  });

  it("A campaign without more work is removed when all its grants are reported or withdrawn", () => {
    const play = running();
    const [first, second] = nextGrants(play, 2);
    if (first === undefined || second === undefined) throw new Error("Two grants are needed.");
    play.report(first, "nothing");
    play.pump.withdraw([second]);
    play.report(second, "more");
    expect(play.pump.nextAt()).toBe(Infinity);
  });

  it("After a restart of the pacer, campaigns continue or wait as before, and reports of earlier grants still count", () => {
    const play = running();
    play.run("cmp_1");
    const [grant, other] = nextGrants(play, 2);
    if (grant === undefined || other === undefined) throw new Error("Two grants are needed.");
    play.report(grant, START + 30 * SECOND);
    play.restart([ID, "cmp_1"]);
    play.report(other, "nothing");
    const after = nextGrant(play);
    expect(after.campaignId).toBe(other.campaignId);
    play.report(after, "nothing");
    expect(play.pump.nextAt()).toBe(START + 30 * SECOND);
    play.run(grant.campaignId);
    expect(nextGrant(play).campaignId).toBe(grant.campaignId);
  });

  it("A campaign does not exceed the rate after a crash of the pacer loses its latest grants", () => {
    const play = running();
    play.until(START + 3 * SECOND);
    const writtenDown = structuredClone(play.pump.saveSlots());
    play.until(START + 3.9 * SECOND);
    play.restart([ID], writtenDown);
    play.until(START + 6 * SECOND);
    for (let start = START + 2 * SECOND; start < START + 6 * SECOND; start += 10)
      expect(messagesIn(play.left, start, start + SECOND)).toBeLessThanOrEqual(80);
    expect(messagesIn(play.left, START + 5 * SECOND, START + 6 * SECOND)).toBeGreaterThan(0);
  });
});
