import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { contactsOf, deliver, messageFrom } from "../../support/provider-events.ts";
import { phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

/**
 * Whether a person is opted out who wrote these words at these seconds. The words arrive in this order, each `copies`
 * times.
 */
async function isOptedOut(arrivals: [word: string, second: number][], copies = 1): Promise<boolean> {
  const world = new World();
  const customer = await world.customer();
  const phone = phoneEnding("1234");
  const start = Math.floor(Date.now() / 1000) * 1000;
  world.advance(60_000);
  const events = arrivals.map(([word, second]) => messageFrom({ phone }, word, start + second * 1000));
  for (const event of events) {
    await deliver(customer, [event], copies);
    world.advance(1000);
  }
  if (copies > 1) for (const event of events) await deliver(customer, [event]);
  const [contact] = await contactsOf(customer);
  return contact.is_unsubscribed;
}

describe("STOP and START in any order", () => {
  it.each([1, 2])(
    "A person who wrote STOP last is opted out, in whatever order the messages arrive (deliveries of each message: %d)",
    async (copies) => {
      expect(
        await isOptedOut(
          [
            ["STOP", 20],
            ["START", 10],
          ],
          copies,
        ),
      ).toBe(true);
      expect(
        await isOptedOut(
          [
            ["START", 10],
            ["STOP", 20],
          ],
          copies,
        ),
      ).toBe(true);
      expect(
        await isOptedOut(
          [
            ["STOP", 30],
            ["STOP", 10],
            ["START", 20],
          ],
          copies,
        ),
      ).toBe(true);
    },
  );

  it.each([1, 2])(
    "A person who wrote START last is opted in, in whatever order the messages arrive (deliveries of each message: %d)",
    async (copies) => {
      expect(
        await isOptedOut(
          [
            ["STOP", 10],
            ["START", 20],
          ],
          copies,
        ),
      ).toBe(false);
      expect(
        await isOptedOut(
          [
            ["START", 20],
            ["STOP", 10],
          ],
          copies,
        ),
      ).toBe(false);
      expect(
        await isOptedOut(
          [
            ["START", 30],
            ["STOP", 10],
            ["STOP", 20],
          ],
          copies,
        ),
      ).toBe(false);
    },
  );

  it("A person who wrote STOP and START in one second is opted in, because people opt out before they opt in", async () => {
    expect(
      await isOptedOut(
        [
          ["STOP", 10],
          ["START", 10],
        ],
        2,
      ),
    ).toBe(false);
    expect(
      await isOptedOut([
        ["STOP", 10.999],
        ["START", 10],
      ]),
    ).toBe(false);
    expect(
      await isOptedOut([
        ["STOP", 11],
        ["START", 10],
      ]),
    ).toBe(true);
  });
});
