import { expect, vi } from "vitest";
import type { SendOutcome } from "../../src/channels/channel.ts";
import { sandbox } from "../../src/channels/sandbox.ts";

/** A provider that answers when the test says so. */
export function heldProvider() {
  const answers: ((outcome: SendOutcome) => void)[] = [];
  const send = vi.spyOn(sandbox, "send").mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  const called = (times: number) => vi.waitFor(() => expect(send).toHaveBeenCalledTimes(times));
  return { send, called, answer: (outcome: SendOutcome) => answers.shift()?.(outcome) };
}
