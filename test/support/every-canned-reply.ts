import { once } from "./every-call.ts";
import type { Customer } from "./world.ts";

export async function useCannedReplies(customer: Customer): Promise<void> {
  const make = (shortcut: string) =>
    customer.call("POST", "/canned-replies", { shortcut, body: "Hi {{name}}" }, once());
  const [{ id }] = [(await make("every")).body.canned_reply, await make("call")];
  const at = `/canned-replies/${id}`;
  const { next_cursor: cursor } = (await customer.call("GET", "/canned-replies?limit=1")).body;
  await customer.call("GET", `/canned-replies?cursor=${cursor}`);
  const tag = (await customer.call("GET", at)).headers.get("ETag") ?? "";
  await customer.call("PATCH", at, { shortcut: "other" }, { headers: { ...once().headers, "If-Match": tag } });
  await customer.call("PATCH", at, { body: "Hi" });
  await customer.call("DELETE", at, undefined, once());
}
