import { CloudStandIn } from "./cloud.ts";
import { linkedCustomer, playProvider, report } from "./linked.ts";
import type { StandIn, Status } from "./stand-in.ts";
import { WahaStandIn } from "./waha.ts";
import { type Answer, type Customer, phoneEnding, World } from "../world.ts";

/** How the provider reacts to a message. `garbled` is an unreadable response, and `silent` means no response. */
export type ProviderBehavior = "fine" | "permanent" | "busy" | "lost" | "broken" | "garbled" | "silent";

export interface GivenMessage {
  call: string;
  body: string;
}

/** Lets test cases that all channels share control one provider. Add a player for each new provider. */
export interface Player {
  name: "sandbox" | "whatsapp_cloud" | "waha";
  customer(): Promise<Customer>;
  /** Returns a phone number. The provider reacts with `behavior` to the next message to this number. */
  number(behavior: ProviderBehavior): string;
  behaviors: readonly ProviderBehavior[];
  /** Returns how many messages to `to` the provider has accepted. */
  taken(customer: Customer, to: string): Promise<number>;
  calls(customer: Customer): Promise<number>;
  given(customer: Customer): Promise<GivenMessage>;
  /** Requests that the provider's reference does not allow. */
  faults(): readonly unknown[];
  status(customer: Customer, messageId: string, status: Status): Promise<unknown>;
  inbound(customer: Customer, from: string, text: string, copies?: number): Promise<unknown>;
  codes: Record<"permanent" | "busy", string>;
}

const endings: Record<ProviderBehavior, string> = {
  fine: "0004",
  permanent: "0001",
  busy: "0007",
  lost: "0003",
  broken: "0003",
  garbled: "0003",
  silent: "0003",
};

const handedOver = ({ type, content, body, reply_to }: Answer["body"]): GivenMessage => ({
  call: "hand",
  body: JSON.stringify({ type, content, body, reply_to }),
});

const sandboxPlayer: Player = {
  name: "sandbox",
  customer: () => new World().customer(),
  number: (behavior) => phoneEnding(endings[behavior]),
  behaviors: ["fine", "permanent", "busy", "lost"],
  calls: async (customer) => (await customer.outbox()).length,
  taken: async (customer, to) => (await customer.outbox(`?to=${encodeURIComponent(to)}`)).length,
  given: async (customer) => handedOver((await customer.outbox())[0]),
  faults: () => [],
  async status(customer, messageId, status) {
    const workspace = await customer.world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
      .bind(customer.workspaceId)
      .first();
    const event = { type: "status", messageId, providerMessageId: "p", status, at: Date.now(), error: null };
    await customer.world.env.EVENTS_QUEUE.send({ v: 1, workspace, connectionId: customer.connectionId, event });
    await customer.world.queues.deliverDue(customer.world.env);
  },
  async inbound(customer, from, text, copies = 1) {
    await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from, text });
    await customer.world.queues.deliverDue(customer.world.env, copies);
  },
  codes: { permanent: "invalid_recipient", busy: "rate_limited" },
};

const PAGE = "<!doctype html><title>Welcome to nginx</title>";

function linkedPlayer(name: Player["name"], standIn: () => StandIn, permanent: string): Player {
  let provider = standIn();
  const digits = (to: string) => to.replace(/\D/g, "");
  const sends = () => provider.requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("/media"));
  return {
    name,
    customer() {
      provider = standIn();
      playProvider(provider);
      return linkedCustomer(provider);
    },
    number(behavior) {
      if (behavior === "lost") provider.loseNext();
      else if (behavior === "silent") provider.next(() => "silent");
      else if (behavior === "garbled")
        provider.next(() => new Response(PAGE, { headers: { "Content-Type": "text/html" } }));
      else if (behavior !== "fine") provider.next(provider.failures[behavior]);
      return phoneEnding("1234");
    },
    behaviors: ["fine", "permanent", "busy", "lost", "broken", "garbled", "silent"],
    calls: () => Promise.resolve(sends().length),
    taken: (_, to) => Promise.resolve(provider.handed.filter((each) => digits(each.to) === digits(to)).length),
    given() {
      const { method, path, body } = sends().at(-1) ?? { method: "", path: "", body: "" };
      return Promise.resolve({ call: `${method} ${path}`, body });
    },
    faults: () => provider.faults,
    status(customer, messageId, status) {
      const message = provider.handed.at(-1);
      if (message === undefined) throw new Error("The provider took nothing.");
      return report(customer, provider.status(message, messageId, status));
    },
    inbound: (customer, from, text, copies) => report(customer, provider.inbound(from, text), copies),
    codes: { permanent, busy: "rate_limited" },
  };
}

export const players: readonly Player[] = [
  sandboxPlayer,
  linkedPlayer("whatsapp_cloud", () => new CloudStandIn(), "undeliverable"),
  linkedPlayer("waha", () => new WahaStandIn(), "invalid_recipient"),
];
