// A network that reports the statuses of each message over HTTP, at the times of a real network.
import { runInDurableObject } from "cloudflare:test";
import { type Mock, vi } from "vitest";
import { StatusInboxWork } from "../../../src/features/inbound/status-inbox.object.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playProvider, post } from "../../support/providers/linked.ts";
import type { Delivery, Handed, Status } from "../../support/providers/stand-in.ts";
import type { Customer, World } from "../../support/world.ts";

const FLUSH_MS = 150;
/** Posts of the same time share a step of the clock. */
const STEP_MS = 10;
/** Only the checks of status inboxes are due later than this after the last work. No object stays in memory for them. */
const IDLE_MS = 600_000;
/** The earliest and the latest time of each status, in ms after the send. */
const REPORTED: [Status, number, number][] = [
  ["sent", 300, 1000],
  ["delivered", 1000, 4000],
  ["read", 5000, 15_000],
];

/** Stores nothing by itself: the test flushes. */
export const NO_FLUSH_BY_TIMER = { STATUS_FLUSH_MS: "1000000000" };

const TEMPLATE = {
  id: "1",
  name: "order",
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  parameter_format: "POSITIONAL",
  components: [{ type: "BODY", text: "Order {{1}} is on its way." }],
};

interface Report {
  at: number;
  handed: Handed;
  status: Status;
}

export class ReportingNetwork {
  private readonly cloud = new CloudStandIn();
  private readonly reports: Report[] = [];
  private readonly posts: Promise<void>[] = [];
  private readonly accepted: Mock<StatusInboxWork["accept"]>;
  private noted = 0;
  private flushAt = Infinity;
  private seed = 1;

  constructor(
    private readonly perPost: number,
    private readonly perSecond: number,
  ) {
    // Clears the calls of the network before.
    this.accepted = vi.spyOn(StatusInboxWork.prototype, "accept").mockClear();
    playProvider(this.cloud);
    this.cloud.templates = [TEMPLATE];
  }

  /** A customer with a connection to this network and its template. */
  async customer(world: World): Promise<Customer> {
    world.alarms.holdsOnce = true;
    const customer = await linkedCustomer(this.cloud, world);
    const path = `/connections/${customer.connectionId}`;
    await customer.manage("POST", `${path}/sync-templates`);
    const { status } = await customer.manage("PATCH", path, { messages_per_second: this.perSecond });
    if (status !== 200) throw new Error(`The rate was not set: ${status}.`);
    return customer;
  }

  inbound(from: string) {
    return this.cloud.inbound(from, "Hi");
  }

  /** Runs until all statuses are applied. Returns the number of requests with statuses. */
  async play(customer: Customer): Promise<number> {
    const { world } = customer;
    const before = this.posts.length;
    for (;;) {
      const alarms = await world.alarms.list();
      const due = Math.min(world.queues.nextDueAt() ?? Infinity, ...alarms.map(({ at }) => at));
      const next = Math.min(due, this.nextPostAt(), this.flushAt);
      if (next > Date.now() + IDLE_MS) break;
      world.setTime(Math.max(Date.now(), next));
      if (Date.now() >= this.flushAt) await this.flush(world);
      await world.alarms.ringDue(alarms);
      await world.queues.deliverDue(world.env);
      this.noteSent();
      await this.postDue(customer);
    }
    await Promise.all(this.posts);
    return this.posts.length - before;
  }

  private random(from: number, to: number): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return from + Math.round(((to - from) * this.seed) / 2_147_483_647);
  }

  /** A lease's calls to the provider are spread over time by the rate. */
  private noteSent(): void {
    for (const [index, handed] of this.cloud.handed.slice(this.noted).entries()) {
      const sentAt = Date.now() + (index * 1000) / this.perSecond;
      for (const [status, from, to] of REPORTED)
        this.reports.push({ at: STEP_MS * Math.ceil((sentAt + this.random(from, to)) / STEP_MS), handed, status });
    }
    if (this.noted === this.cloud.handed.length) return;
    this.noted = this.cloud.handed.length;
    this.reports.sort((a, b) => a.at - b.at);
  }

  /** A full request leaves with its last status, and the last one when no more messages are sent. */
  private nextPostAt(): number {
    return this.reports[this.perPost - 1]?.at ?? this.reports.at(-1)?.at ?? Infinity;
  }

  private async postDue(customer: Customer): Promise<void> {
    while (this.nextPostAt() <= Date.now()) {
      const some = this.reports.splice(0, this.perPost);
      const statuses = some.map(({ handed, status }) =>
        this.cloud.statusOf(handed, handed.request.biz_opaque_callback_data, status),
      );
      const delivery = await this.cloud.deliver(this.cloud.messages({ statuses }));
      this.posts.push(postAccepted(customer, delivery));
    }
    while (this.accepted.mock.calls.length < this.posts.length || this.inboxes.some(isRunning))
      await new Promise((resolve) => setTimeout(resolve));
    if (this.flushAt === Infinity && this.inboxes.some(isUnsafe)) this.flushAt = Date.now() + FLUSH_MS;
  }

  private get inboxes(): StatusInboxWork[] {
    return [...new Set(this.accepted.mock.contexts)].filter((each) => each instanceof StatusInboxWork);
  }

  private async flush(world: World): Promise<void> {
    this.flushAt = Infinity;
    for (const stub of world.alarms.statusInboxes())
      await runInDurableObject(stub, async (object) => {
        const inbox: unknown = await Reflect.get(object, "work");
        if (inbox instanceof StatusInboxWork) await inbox.flush();
      });
  }
}

async function postAccepted(customer: Customer, delivery: Delivery): Promise<void> {
  const { status } = await post(customer, delivery);
  if (status !== 200) throw new Error(`The webhook returned ${status}.`);
}

const isRunning = (inbox: StatusInboxWork): boolean => Reflect.get(inbox, "isRunning") === true;

const isUnsafe = (inbox: StatusInboxWork): boolean => {
  const unsafe: unknown = Reflect.get(inbox, "unsafe");
  return unsafe instanceof Map && unsafe.size > 0;
};
