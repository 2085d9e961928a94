import { expect, vi } from "vitest";
import type { SendOutcome } from "../../src/channels/channel.ts";
import type { ProviderTemplate } from "../../src/channels/templates/channel-templates.ts";
import { sandbox } from "../../src/channels/sandbox/sandbox.ts";
import { soon } from "./soon.ts";

export function heldProvider() {
  const answers: ((outcome: SendOutcome) => void)[] = [];
  const send = vi.spyOn(sandbox, "send").mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  const called = (times: number) => soon(() => expect(send).toHaveBeenCalledTimes(times));
  return { send, called, answer: (outcome: SendOutcome) => answers.shift()?.(outcome) };
}

export const orderUpdate: ProviderTemplate = {
  providerId: "sandbox_order_update",
  name: "sandbox_order_update",
  language: "en_US",
  category: "UTILITY",
  status: "APPROVED",
  parameters: "positional",
  components: [{ type: "BODY", text: "Your order {{1}} will arrive on {{2}}." }],
};

export const providerHolds = (...templates: ProviderTemplate[]) =>
  vi.spyOn(sandbox, "syncTemplates").mockResolvedValue({ templates, isPartial: false });

/** Makes the provider accept every message, and records it in `left`. `at` is in ms since this call. */
export function watchSends() {
  const start = Date.now();
  const left: { at: number; to: string; body: string }[] = [];
  const send = vi.spyOn(sandbox, "send").mockImplementation((_, { id, to, body }) => {
    left.push({ at: Date.now() - start, to, body });
    return Promise.resolve({ kind: "accepted", providerMessageId: id });
  });
  return { left, send };
}
