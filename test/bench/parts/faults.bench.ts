import { afterEach, beforeEach, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type FaultsMade, runWithFaults } from "../../support/faults/fault-run.ts";
import { prove } from "../../support/faults/proof.ts";
import { contactsWanted, Table } from "./report.ts";

const SEED = 1;
const PER_SECOND = 1000;
const MAX_RECIPIENTS = 100_000;
const MAX_WITH_PICTURE = 20_000;
const HOUR_MS = 3_600_000;

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

it("If every dependency fails, a campaign loses and repeats no message", { timeout: HOUR_MS }, async () => {
  const people = Math.min(MAX_RECIPIENTS, await contactsWanted());
  const what = "a campaign";
  await tellWhatBecomes(what, await runWithFaults({ seed: SEED, people, ...common(people) }), people);
});

it(
  "If every dependency fails, a campaign with an image template loses and repeats no message",
  { timeout: HOUR_MS },
  async () => {
    const people = Math.min(MAX_WITH_PICTURE, await contactsWanted());
    const what = "a campaign over WhatsApp's own API whose template has a picture";
    const made = await runWithFaults({ seed: SEED, people, hasPicture: true, ...common(people) });
    await tellWhatBecomes(what, made, people);
  },
);

const common = (people: number) => ({ withoutNumber: Math.floor(people / 2), perSecond: PER_SECOND });

async function tellWhatBecomes(campaign: string, made: FaultsMade, people: number): Promise<void> {
  const proof = await prove(made);
  const { crashes, ...figures } = made.figures;

  const table = new Table(
    `Faults: ${campaign} at ${PER_SECOND}/s, every queue batch delivered twice and shuffled, 5 % of its consumers' runs die (seed ${SEED})`,
    ["what", ""],
  );
  const tell = (what: string, figure: number | string) => table.add([what, figure], "", null);
  const demand = (what: string, figure: number, wanted: number) =>
    table.add([what, figure], String(wanted), figure === wanted);
  tell("recipients", people);
  tell("of them without a number, sent to by the provider's user id", common(people).withoutNumber);
  tell("runs of consumers", figures.invocations);
  for (const [step, count] of crashes) tell(`died ${step}`, count);
  tell("queue messages delivered again", figures.redelivered);
  tell("queue messages lost for good (grants, wakes)", figures.lost);
  tell("transient errors of the provider", figures.transientErrors);
  tell("statuses that came while their message was being sent", figures.earlyStatuses);
  tell("statuses up to a minute late", figures.lateStatuses);
  tell("statuses repeated, up to five minutes later", figures.repeatedStatuses);
  tell("minutes by the campaign's clock, until no status was under way", figures.minutes);
  demand("lost", proof.lost, 0);
  demand("duplicated", proof.duplicated, 0);
  if (made.cloud !== null) {
    const { handed, files, faults } = made.cloud;
    demand(
      "people whom the API got more than one message for",
      handed.length - new Set(handed.map(({ to }) => to)).size,
      0,
    );
    demand("uploads of the picture", files.uploads.size, 1);
    demand("bodies that are not of Meta's reference", faults.length, 0);
  }
  tell("recipients of leases whose holder died between claim and settlement", made.mayBeUnknown.size);
  tell("unknown", proof.unknown);
  demand("unknown, others", proof.unknownWithoutCause, 0);
  demand("priced, each once", proof.priced.stored, people - proof.unknown);
  demand("read", proof.counts["read"] ?? 0, people - proof.unknown);
  const agree = (what: string, holds: boolean) => table.add([what, holds ? "yes" : "no"], "yes", holds);
  agree("counts add up", proof.countsAddUp);
  agree("counts equal the rows (reconcile)", Object.keys(proof.differences).length === 0);
  agree("counts equal the recipients' list", JSON.stringify(proof.counts) === JSON.stringify(proof.listed));
  await table.show();
}
