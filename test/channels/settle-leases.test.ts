import { describe, expect, it } from "vitest";
import { keyOfOwn } from "../../src/channels/waha/ids.ts";
import {
  connectionOf,
  linkedCustomer,
  playInEachTest,
  report,
  transcript,
  UPSTREAM,
} from "../support/providers/linked.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import type { StandIn, Status } from "../support/providers/stand-in.ts";
import { chatOf, WahaStandIn } from "../support/providers/waha.ts";
import {
  countsOf,
  expand,
  phones,
  type Recipient,
  rowOf,
  sendLease,
  sentAs,
  settleLease,
} from "../support/recipients.ts";
import { recordedWorld } from "../support/recording.ts";
import { onShard } from "../support/storage.ts";
import type { Customer } from "../support/world.ts";

const pathOf = (standIn: StandIn) => ({ provider: standIn.provider, config: standIn.config(UPSTREAM) });

describe("Leases sent through WAHA", () => {
  let waha: WahaStandIn;
  playInEachTest(() => (waha = new WahaStandIn()));

  const idOf = (phone: string, index: number) => `true_${chatOf(phone)}_3EB0${index}`;
  const settle = (customer: Customer, recipients: Recipient[]) =>
    settleLease(customer, recipients, (recipient, index) => {
      const providerMessageId = idOf(recipient.phone, index);
      const outcome = { kind: "accepted", providerMessageId, providerKey: keyOfOwn(providerMessageId) } as const;
      return { outcome, sent: sentAs(recipient) };
    });

  it("Acknowledgements with WAHA's message ids update the counts of a campaign", async () => {
    const customer = await linkedCustomer(waha);
    const campaign = await expand(customer, phones(3));
    await sendLease(customer, campaign.recipients, pathOf(waha));
    expect(await countsOf(customer, campaign)).toEqual({ sent: 3 });
    const statuses: Status[] = ["delivered", "read", "failed"];
    for (const [index, handed] of waha.handed.entries())
      await report(customer, waha.status(handed, "", statuses[index] ?? "sent"), 2);
    expect(await countsOf(customer, campaign)).toEqual({ delivered: 1, read: 1, failed: 1 });
  });

  it("If WAHA acknowledges campaign messages before the results of their sends are stored, the acknowledgements are applied later and deleted", async () => {
    const customer = await linkedCustomer(waha);
    const campaign = await expand(customer, phones(3));
    for (const [index, { phone }] of campaign.recipients.slice(0, 2).entries()) {
      const handed = { providerMessageId: idOf(phone, index), to: chatOf(phone), request: null };
      await report(customer, waha.status(handed, "", "delivered"));
    }
    for (let copy = 0; copy < 2; copy++) {
      await settle(customer, campaign.recipients);
      expect(await countsOf(customer, campaign)).toEqual({ delivered: 2, sent: 1 });
    }
    const early = "SELECT * FROM early_statuses WHERE connection_id = ?";
    expect(await onShard(customer, early, customer.connectionId)).toEqual([]);
  });

  it("If WAHA's echoes of campaign messages were stored as separate messages, storing the results of the sends deletes these copies", async () => {
    const customer = await linkedCustomer(waha);
    const campaign = await expand(customer, phones(2));
    for (const [index, { phone }] of campaign.recipients.entries())
      await report(customer, waha.own(idOf(phone, index), chatOf(phone), "Hello"));
    const outbound = "SELECT id FROM messages WHERE connection_id = ? ORDER BY id";
    expect(await onShard(customer, outbound, customer.connectionId)).toHaveLength(4);
    await settle(customer, campaign.recipients);
    const ids = campaign.recipients.map(({ id }) => ({ id }));
    expect(await onShard(customer, outbound, customer.connectionId)).toEqual(ids);
    expect(await countsOf(customer, campaign)).toEqual({ sent: 2 });
  });

  it.each(["api", undefined])(
    "If WAHA's response to a campaign message was lost, the message counts as sent when its echo arrives; source: %s",
    async (source) => {
      const customer = await linkedCustomer(waha);
      const campaign = await expand(customer, phones(1));
      waha.loseNext();
      await sendLease(customer, campaign.recipients, pathOf(waha));
      expect(await countsOf(customer, campaign)).toEqual({ unknown: 1 });
      const [handed] = waha.handed;
      await report(customer, waha.own(handed?.providerMessageId ?? "", handed?.to ?? "", "Hello", source), 2);
      expect(await countsOf(customer, campaign)).toEqual({ sent: 1 });
      expect(await rowOf(customer, campaign.recipients[0]?.id ?? "")).toMatchObject({ retry_at: null });
      expect(await transcript(customer)).toEqual([]);
    },
  );
});

describe("Leases sent through the Cloud API", () => {
  let cloud: CloudStandIn;
  playInEachTest(() => (cloud = new CloudStandIn()));

  it("Cloud API statuses with our message ids update the counts of a campaign and store the recipients' user ids", async () => {
    cloud.tellsUserIds = true;
    const customer = await linkedCustomer(cloud);
    const campaign = await expand(customer, phones(3));
    cloud.loseNext();
    await sendLease(customer, campaign.recipients, pathOf(cloud));
    expect(await countsOf(customer, campaign)).toEqual({ sent: 2, unknown: 1 });
    for (const [index, handed] of cloud.handed.entries())
      await report(
        customer,
        cloud.status(handed, handed.request.biz_opaque_callback_data, index === 1 ? "failed" : "read"),
        2,
      );
    expect(await countsOf(customer, campaign)).toEqual({ read: 2, failed: 1 });
    const known = await onShard(
      customer,
      "SELECT external_id FROM contact_identities WHERE workspace_id = ? AND provider = 'whatsapp_cloud' ORDER BY external_id",
      customer.workspaceId,
    );
    const answered = campaign.recipients.slice(1).map(({ phone }) => ({ external_id: phone.replace("+", "US.") }));
    expect(known).toEqual(answered.toSorted((a, b) => a.external_id.localeCompare(b.external_id)));
  });

  it("If the Cloud API rejects several messages of a campaign for the same reason, the connection is updated once", async () => {
    const { world, recording } = recordedWorld();
    const customer = await linkedCustomer(cloud, world);
    const campaign = await expand(customer, phones(3));
    cloud.next(cloud.failures.expired, cloud.failures.expired, cloud.failures.expired);
    recording.take();
    await sendLease(customer, campaign.recipients, pathOf(cloud));
    expect(recording.take().filter(({ sql }) => sql.includes("UPDATE connections"))).toHaveLength(1);
    expect(await countsOf(customer, campaign)).toEqual({ failed: 3 });
    expect((await connectionOf(customer)).status).toBe("error");
  });
});
