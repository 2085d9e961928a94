import { PASSWORD, Visitor } from "./visitor.ts";
import type { Customer } from "./world.ts";

export async function useMembers(customer: Customer): Promise<void> {
  const owner = await customer.member("owner");
  const agent = await customer.member("agent");
  for (const list of ["/members?limit=1", "/invitations?limit=1"]) {
    for (const email of ["ada@example.com", "bo@example.com"]) await customer.invite(email, "agent");
    const { next_cursor: cursor } = (await customer.manage("GET", list)).body;
    await customer.manage("GET", `${list}&cursor=${cursor}`);
  }
  const { invitations } = (await customer.manage("GET", "/invitations")).body;
  await customer.manage("DELETE", `/invitations/${invitations[0].id}`);
  await customer.manage("PATCH", `/members/${agent.userId}`, { role: "admin" });
  await customer.manage("DELETE", `/members/${agent.userId}`);
  const second = await customer.world.customer();
  const link = await second.invite(owner.email, "owner");
  await owner.openInvitation(link);
  await owner.post("/console/invitations/join", { secret: link });
  for (const page of ["/console/workspaces", `/console/${second.workspaceId}/settings/members`]) await owner.get(page);
  const change = { current_password: PASSWORD, new_password: `${PASSWORD}!`, repeated: `${PASSWORD}!` };
  await owner.post("/console/password", change);
  await owner.get("/console/password");
  await owner.post("/console/name", { name: "Ada Lovelace" });
  await owner.post("/console/sign-out-everywhere");
  await owner.signIn(`${PASSWORD}!`);
  await owner.get("/console/password");
  await owner.post("/console/sign-out");
  await useMemberLinks(customer, owner);
}

/** A second person signs up with the owner's email, resets the password and signs in. */
async function useMemberLinks(customer: Customer, owner: Visitor): Promise<void> {
  const third = await customer.world.customer();
  const other = new Visitor(customer.world, owner.email);
  await other.signUp(await third.invite(owner.email, "owner"));
  const { members } = (await third.manage("GET", "/members")).body;
  const link = await third.resetLink(members[0].id);
  await other.get("/console/reset");
  await other.post("/console/reset", { secret: link });
  await other.reset(link, `${PASSWORD}!`);
  await new Visitor(customer.world, owner.email).signIn(`${PASSWORD}!`);
  await third.manage("POST", `/members/${(await third.manage("GET", "/members")).body.members[0].id}/confirm`);
}
