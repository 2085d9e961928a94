import { beforeEach, describe, expect, it, vi } from "vitest";
import { inUploadTurn } from "../../../src/features/media/open/open-media.ts";
import { storeFile } from "../../support/media.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report } from "../../support/providers/linked.ts";
import { phoneEnding, World } from "../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(() => {
  vi.useRealTimers();
});

const uploads = () => cloud.requests.filter(({ path }) => path.endsWith("/media"));

describe("Concurrent messages", () => {
  it("If concurrent messages send the same file, the file is uploaded once per connection", async () => {
    const world = new World();
    const customer = await linkedCustomer(cloud, world);
    const { id: media_id } = await storeFile(customer);
    const people = Array.from({ length: 5 }, () => phoneEnding("1234"));
    for (const to of people) await report(customer, cloud.inbound(to, "Hi"));
    const send = (to: string) => customer.call("POST", "/messages", { to, image: { media_id } });
    const answers = await Promise.all(people.map(send));
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 202));
    await world.settle();
    expect(cloud.handed).toHaveLength(5);
    expect(uploads()).toHaveLength(1);
    expect(new Set(cloud.handed.map(({ request }) => request.image?.id)).size).toBe(1);
    const other = await linkedCustomer(cloud, world);
    const { id: same } = await storeFile(other);
    await report(other, cloud.inbound(people[0] ?? "", "Hi"));
    await other.call("POST", "/messages", { to: people[0], image: { media_id: same } });
    await world.settle();
    expect(uploads()).toHaveLength(2);
  });

  it("If the provider has lost a file that concurrent messages send, the file is uploaded again once", async () => {
    const world = new World();
    const customer = await linkedCustomer(cloud, world);
    const { id: media_id } = await storeFile(customer);
    const people = Array.from({ length: 3 }, () => phoneEnding("1234"));
    for (const to of people) await report(customer, cloud.inbound(to, "Hi"));
    const messages = people.map((to) => ({ to, image: { media_id } }));
    await customer.call("POST", "/messages", messages[0]);
    cloud.files.uploads.clear();
    expect((await customer.call("POST", "/messages/batch", { messages })).body.counts.queued).toBe(3);
    await world.settle();
    expect(cloud.handed).toHaveLength(4);
    expect(uploads()).toHaveLength(2);
  });
});

describe("Upload turns", () => {
  const clock = () => {
    let at = 1000;
    return {
      now: () => at,
      wait: (ms: number) => {
        at += ms;
        return Promise.resolve();
      },
    };
  };

  it("After a failed upload, the same file can be uploaded immediately, and an upload does not wait for the upload of a different file", async () => {
    const time = clock();
    await expect(inUploadTurn(time, "a", () => Promise.reject(new Error("No.")))).rejects.toThrow("No.");
    expect(await inUploadTurn(time, "a", () => inUploadTurn(time, "b", () => Promise.resolve("both")))).toBe("both");
    expect(time.now()).toBe(1000);
  });

  it("An upload waits at most ten seconds for another upload of the same file, and an upload that never ends blocks the file for a limited time", async () => {
    const time = clock();
    void inUploadTurn(time, "c", () => new Promise(() => {}));
    await expect(inUploadTurn(time, "c", () => Promise.resolve("late"))).rejects.toThrow(/still uploading/);
    expect(time.now()).toBe(11_000);
    await time.wait(20_000);
    expect(await inUploadTurn(time, "c", () => Promise.resolve("then"))).toBe("then");
  });
});
