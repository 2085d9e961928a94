import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { CloudStandIn } from "./providers/cloud.ts";
import { linkedCustomer, post } from "./providers/linked.ts";
import type { Status } from "./providers/stand-in.ts";
import { type Campaign, expand, phones, type Recipient, sentAs, settleLease } from "./recipients.ts";
import { type Answer, type Customer, World } from "./world.ts";

/** Calls of Meta about the messages of a campaign that has just been sent. */
export class StatusPosts {
  constructor(private readonly cloud: () => CloudStandIn) {}

  async sentCampaign(count: number, world = new World()) {
    const customer = await linkedCustomer(this.cloud(), world);
    const sent = await expand(customer, phones(count));
    await settleLease(customer, sent.recipients, (recipient) => ({
      outcome: { kind: "accepted", providerMessageId: `wamid.${recipient.id}` },
      sent: sentAs(recipient),
    }));
    return { world, customer, sent };
  }

  statusOf({ id, phone }: Recipient, status: Status) {
    return this.cloud().statusOf({ providerMessageId: `wamid.${id}`, to: phone, request: null }, id, status);
  }

  async post(customer: Customer, ...statuses: object[]): Promise<Answer> {
    const cloud = this.cloud();
    return post(customer, await cloud.deliver(cloud.messages({ statuses })));
  }

  /** Posts one status for each recipient, one after the other. */
  async postEach(customer: Customer, { recipients }: Pick<Campaign, "recipients">, status: Status): Promise<void> {
    for (const recipient of recipients) {
      const answer = await this.post(customer, this.statusOf(recipient, status));
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    }
  }
}

export const inboxOf = ({ connectionId }: Customer) => env.STATUS_INBOX.getByName(`${connectionId}:0`);

/** The number of stored blocks, and the time of the alarm. */
export const storedIn = (customer: Customer) =>
  runInDurableObject(inboxOf(customer), async (_, { storage }) => ({
    blocks: [...storage.kv.list({ prefix: "block:" })].length,
    alarm: await storage.getAlarm(),
  }));

const isCheck = ({ body }: { body: unknown }): boolean => Object.hasOwn(Object(body), "inboxId");
const inQueue = ({ queues }: World) => queues.messages.filter(({ queue }) => queue === "tidings-statuses");

export const queuedStatuses = (world: World): number => inQueue(world).filter((message) => !isCheck(message)).length;
export const queuedChecks = (world: World): number => inQueue(world).filter(isCheck).length;
