import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { sharedService } from "./service.ts";

it("With a limit of 25 requests in 4 s, exactly 25 of 60 simultaneous requests are accepted, and the responses to the others state how long to wait", async () => {
  const service = await sharedService();
  const { key } = await service.account(25, 4);
  const ask = async () => {
    const response = await service.request("GET", "/api/v1/conversations", key);
    await response.arrayBuffer();
    return { status: response.status, retryAfter: Number(response.headers.get("Retry-After")) };
  };

  const sleepUntil = (at: number) => setTimeout(Math.max(0, at - Date.now()));

  for (let round = 0; round < 2; round++) {
    const askedAt = Date.now();
    const answers = await Promise.all(Array.from({ length: 60 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(35);
    const waits = refused.map(({ retryAfter }) => retryAfter);
    for (const wait of waits) expect([1, 2, 3, 4]).toContain(wait);

    const answeredAt = Date.now();
    await sleepUntil(askedAt + 2000);
    expect(await ask()).toMatchObject({ status: 429 });
    await sleepUntil(answeredAt + Math.max(...waits) * 1000);
    expect(await ask()).toMatchObject({ status: 200 });
    await sleepUntil(Date.now() + 4000);
  }
});
