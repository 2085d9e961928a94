import { beforeEach, describe, expect, it } from "vitest";
import { customerWith, started } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { draftOf } from "../support/drafts.ts";
import { written } from "../support/inbox.ts";
import { costOf } from "../support/storage.ts";

beforeEach(stopClock);

/** The largest number of round trips per page, including the read of the session. */
const pages = [
  ["/inbox", 3],
  ["/inbox?status=all&search=visitor", 3],
  ["/inbox/:conversation", 3],
  ["/inbox/:conversation/person", 3],
  ["/campaigns/new", 2],
  ["/campaigns/:started", 3],
  ["/campaigns/:draft", 3],
  ["/campaigns/:draft/edit", 3],
] as const;

describe("Pages of the console", () => {
  it("Every console page takes the expected number of round trips to the databases", async () => {
    const { world, customer } = await customerWith(3);
    const id = await started(customer);
    await world.settle();
    const conversation = await written(customer);
    const draft = await draftOf(customer);
    const admin = await customer.member("admin");
    const trips: [page: string, trips: number | undefined][] = [];
    for (const [page] of pages) {
      const path = page.replace(":conversation", conversation).replace(":started", id).replace(":draft", draft);
      const answer = await admin.get(`/console/${customer.workspaceId}${path}`);
      expect(answer.status, page).toBe(200);
      trips.push([page, costOf(answer)["trips"]]);
    }
    expect(trips).toEqual(pages);
  });
});
