import { afterEach, beforeEach, expect, vi } from "vitest";
import { type ReviewIo, type ChannelIo, MediaUnavailable } from "../../../src/channels/channel.ts";
import { createDownload, createUpstream } from "../../../src/shared/network/upstream.ts";
import { stopClock } from "../clock.ts";
import { type Answer, Customer, World } from "../world.ts";
import type { Delivery, StandIn } from "./stand-in.ts";

/** Tests inside workerd reach simulated providers at this address. */
export const UPSTREAM = "http://provider.test:3000";

/** A request to any address other than `UPSTREAM` fails the test. */
export function playProvider(standIn: StandIn) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(UPSTREAM)) throw new Error(`Nobody is at ${request.url}.`);
    const reply = await standIn.handle(request);
    if (reply === "lost") throw new Error("Network connection lost.");
    return reply === "silent" ? new Promise<Response>(() => {}) : reply;
  });
}

export function playInEachTest(make: () => StandIn): void {
  let standIn: StandIn;
  beforeEach(() => {
    stopClock();
    vi.spyOn(console, "error").mockReturnValue();
    playProvider((standIn = make()));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    expect(standIn.faults).toEqual([]);
  });
}

export const directIo = (): ChannelIo & ReviewIo => ({
  upstream: createUpstream({ allowPrivate: true, fetcher: (...call) => fetch(...call) }),
  download: createDownload({ allowPrivate: true, fetcher: (...call) => fetch(...call) }),
  media: {
    open: () => Promise.reject(new MediaUnavailable("There are no files here.")),
    findUpload: () => Promise.resolve(null),
    inTurn: (_, __, work) => work(),
    storeUpload: () => Promise.resolve(),
    shareUpload: (_, run) => run(),
  },
  phoneNetwork: { hand: () => Promise.reject(new Error("This is not the sandbox.")) },
  memory: { get: () => Promise.resolve(null), put: () => Promise.resolve() },
  reportReview: () => Promise.reject(new Error("This is not the sandbox.")),
  now: Date.now,
});

export async function linkedCustomer(standIn: StandIn, world = new World(), config: object = {}): Promise<Customer> {
  const { workspaceId } = await world.customer();
  const at = `/workspaces/${workspaceId}`;
  const { provider, channel } = standIn;
  const body = { name: provider, channel, provider, config: { ...standIn.config(UPSTREAM), ...config } };
  const { connection } = (await world.manage("POST", `${at}/connections`, body)).body;
  const key = (await world.manage("POST", `${at}/api-keys`, { name: "Test", connection_id: connection.id })).body;
  return new Customer(world, workspaceId, connection.id, key.api_key.id, key.key);
}

export const post = (customer: Customer, { body, headers }: Delivery): Promise<Answer> =>
  customer.world.request("POST", `/hooks/${customer.connectionId}`, undefined, { raw: body, headers });

export async function report(customer: Customer, delivery: Delivery | Promise<Delivery>, copies = 1): Promise<Answer> {
  const answer = await post(customer, await delivery);
  await customer.world.alarms.handOverStatuses();
  await customer.world.queues.deliverDue(customer.world.env, copies);
  return answer;
}

export const connectionOf = async (customer: Customer): Promise<Answer["body"]> =>
  (await customer.manage("GET", `/connections/${customer.connectionId}`)).body.connection;

export async function transcript(customer: Customer): Promise<Answer["body"][]> {
  const { conversations } = (await customer.call("GET", "/conversations")).body;
  return Promise.all(
    conversations.map(async (conversation: Answer["body"]) => {
      const { messages } = (await customer.call("GET", `/conversations/${conversation.id}/messages`)).body;
      return { ...conversation, messages: messages.toReversed() };
    }),
  );
}
