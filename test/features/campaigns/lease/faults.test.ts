import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { numberOf } from "../../../support/campaigns.ts";
import { Chance } from "../../../support/faults/chance.ts";
import { type FaultRun, runWithFaults } from "../../../support/faults/fault-run.ts";
import { prove } from "../../../support/faults/proof.ts";
import type { CloudStandIn } from "../../../support/providers/cloud.ts";
import { onShard } from "../../../support/storage.ts";

/** A low rate makes small leases, and so enough runs of consumers that can die. */
const PER_SECOND = 20;
const deaths = [
  "before a window",
  "after a window",
  "before the claim",
  "after the claim",
  "after a send",
  "before the settlement",
  "after the settlement",
];

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a campaign with faults. Checks that every recipient was reached once or has a documented reason. */
async function survive(run: Omit<FaultRun, "perSecond">) {
  const made = await runWithFaults({ ...run, perSecond: PER_SECOND });
  const proof = await prove(made);
  const died = deaths.filter((each) => made.figures.crashes.has(each));
  expect(died.length).toBeGreaterThanOrEqual(run.people < 500 ? 2 : deaths.length);
  expect(made.figures.transientErrors).toBeGreaterThan(run.people / 40);
  expect(proof).toMatchObject({ lost: 0, duplicated: 0, unknownWithoutCause: 0, countsAddUp: true, differences: {} });
  expect(proof.counts).toEqual({ ...proof.listed, pending: 0 });
  // The sandbox prices each message once, in the first of its two reports.
  expect(proof.priced).toEqual({ stored: proof.counts["read"], actual: proof.counts["read"] });
  return { made, proof };
}

/** Expects that the provider has the image once, and that each person received one message with the image. */
function expectSentOnce({ files, handed, faults }: CloudStandIn): void {
  const [upload, ...others] = files.uploads.keys();
  expect([others, faults]).toEqual([[], []]);
  expect(new Set(handed.map(({ to }) => to)).size).toBe(handed.length);
  const pictures = handed.map(({ request }) => request.template.components[0].parameters[0].image.id);
  expect(new Set(pictures)).toEqual(new Set([upload]));
}

async function expectEachReachedOnce(run: Omit<FaultRun, "perSecond">) {
  const { made, proof } = await survive(run);
  if (made.cloud !== null) expectSentOnce(made.cloud);
  expect(proof.counts).toMatchObject({ read: run.people - proof.unknown, skipped: 0, failed: 0 });
  return proof;
}

it(
  "A campaign reaches each of 100 recipients once despite crashes, duplicate deliveries and late statuses",
  { tags: "long" },
  () => expectEachReachedOnce({ seed: 4, people: 100, withoutNumber: 30, hasPicture: true }),
);

it.each([
  { seed: 1, people: 700, withoutNumber: 0, hasPicture: false },
  { seed: 2, people: 700, withoutNumber: 350, hasPicture: true },
])(
  "A campaign reaches each of $people recipients once despite crashes, repeats and late statuses (seed $seed, $withoutNumber without numbers, image: $hasPicture)",
  { tags: "long" },
  async (run) => {
    const { unknown } = await expectEachReachedOnce(run);
    expect(unknown).toBeGreaterThan(0);
  },
);

async function expectNoneAfterOptOut(seed: number, people: number) {
  const everybody = Array.from({ length: people }, (_, index) => numberOf(index));
  const leaving = new Chance(seed).shuffled(everybody, "leaving").slice(0, people / 8);
  const left = leaving.values();
  let latest = 0;
  const { made, proof } = await survive({
    seed,
    people,
    async meanwhile(customer) {
      if (Date.now() < latest + 100) return;
      latest = Date.now();
      const { value: from } = left.next();
      if (from === undefined) return;
      await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from, text: "STOP" });
    },
  });
  const { customer, id } = made;
  const [handed] = await onShard(
    customer,
    `SELECT count(*) AS after_opt_out FROM sandbox_deliveries d JOIN messages m ON m.id = d.message_id
       JOIN contacts c ON c.seq = m.contact_seq JOIN suppressions s ON s.workspace_id = c.workspace_id AND s.key = c.id
       WHERE d.connection_id = ? AND d.at > s.opted_out_at`,
    customer.connectionId,
  );
  expect(handed).toEqual({ after_opt_out: 0 });
  const skipped = await onShard(
    customer,
    "SELECT DISTINCT error_code FROM messages WHERE campaign_id = ? AND state = 7",
    id,
  );
  expect(skipped).toEqual([{ error_code: "unsubscribed" }]);
  expect(proof.counts.skipped).toBeGreaterThan(people / 100);
  expect(proof.counts.skipped).toBeLessThan(leaving.length);
}

it(
  "A contact who opts out before a lease begins receives no message, despite failures (100 contacts)",
  { tags: "long" },
  () => expectNoneAfterOptOut(5, 100),
);

it(
  "A contact who opts out before a lease begins receives no message, despite failures (600 contacts)",
  { tags: "long" },
  () => expectNoneAfterOptOut(3, 600),
);
