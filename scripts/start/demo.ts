import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exampleIds, exampleMember } from "../../src/documentation/example-ids.ts";
import { createRecords, fillInbox } from "./demo-data.ts";
import { fieldIn, idIn, type Call, createCaller, request } from "./demo-requests.ts";
import { readIfThere, writeWhole } from "./secrets.ts";

export interface Demo {
  name: string;
  workspaceId: string;
  connections: { official: string; unofficial: string };
  key: string;
  user: { email: string; password: string };
}

interface Server {
  url: string;
  adminToken: string;
  stateDir: string;
}

const RECEIVED_WITHIN_MS = 30_000;

/**
 * Returns the demo workspace of this state directory. The first start creates it, and later starts use it as
 * long as its key works.
 */
export async function prepareDemo(server: Server): Promise<Demo> {
  const file = join(server.stateDir, "demo.json");
  const known = await readIfThere(file);
  if (known) {
    const demo: Demo = JSON.parse(known);
    if (await stillWorks(server, demo)) {
      await syncTemplates(server, demo);
      return demo;
    }
  }
  const demo = await createDemo(server);
  await mkdir(server.stateDir, { recursive: true });
  await writeWhole(file, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}

async function stillWorks({ url, adminToken }: Server, demo: Demo): Promise<boolean> {
  if (!Object.hasOwn(demo, "user")) return false; // created by an earlier version, which had no console
  const answers = await Promise.all([
    request("GET", `${url}/manage/v1/workspaces/${demo.workspaceId}`, { token: adminToken }),
    request("GET", `${url}/api/v1/conversations?limit=1`, { token: demo.key }),
  ]);
  return answers.every(({ ok }) => ok);
}

/** Adds new templates of the sandbox to an existing demo workspace. They exist if Tidings has been updated since. */
async function syncTemplates({ url, adminToken }: Server, { workspaceId, connections }: Demo): Promise<void> {
  const path = `${url}/manage/v1/workspaces/${workspaceId}/connections/${connections.official}/sync-templates`;
  const answer = await request("POST", path, { token: adminToken });
  if (!answer.ok) console.warn(`Couldn't sync the sandbox's templates: ${answer.status} ${await answer.text()}`);
}

/**
 * Returns true if the demo can use the ids of the documentation's examples. They are already used if this state
 * directory contains an older demo workspace whose key does not work.
 */
async function hasFreeIds({ url, adminToken }: Server): Promise<boolean> {
  const path = `${url}/manage/v1/workspaces/${exampleIds.workspace}`;
  return (await request("GET", path, { token: adminToken })).status === 404;
}

async function createDemo(server: Server): Promise<Demo> {
  const { url, adminToken, stateDir } = server;
  const choosesIds = await hasFreeIds(server);
  if (!choosesIds)
    console.warn(
      `The new demo workspace does not have the ids of the documentation's examples. To get them, delete ${stateDir}.`,
    );
  const chooser = choosesIds ? adminToken : null;
  const operate = createCaller(`${url}/manage/v1/workspaces`, adminToken, chooser);
  const name = "Demo";
  const workspaceId = idIn((await operate("POST", "", { name }, [exampleIds.workspace])).workspace);
  const manage = createCaller(`${url}/manage/v1/workspaces/${workspaceId}`, adminToken, chooser);

  const connect = async (channel: string, chosenIds: string[] = []) => {
    const sandbox = { name: `Sandbox, ${channel}`, channel, provider: "sandbox", config: {} };
    return idIn((await manage("POST", "/connections", sandbox, chosenIds)).connection);
  };
  const connections = {
    official: await connect("official"),
    unofficial: await connect("unofficial", [exampleIds.connection]),
  };
  const connection_id = connections.unofficial;
  const key = fieldIn(await manage("POST", "/api-keys", { name, connection_id }), "key");
  await manage("POST", "/api-keys", { name: "Shop", connection_id }, [exampleIds.key]);

  const suffix = workspaceId.slice(-4);
  const owner = { email: `demo-${suffix}@example.com`, role: "owner", name: "Demo Owner" };
  const user = await createMember(url, manage, owner);
  const { members } = await manage("GET", "/members");
  const ownerId = idIn(Array.isArray(members) ? members[0] : undefined);
  const colleague = { email: `nora-${suffix}@example.com`, role: "agent", name: exampleMember.name };
  await createMember(url, manage, colleague, chooser === null ? "" : `${chooser} ${exampleIds.member}`);

  const call = createCaller(`${url}/api/v1`, key, chooser);
  const receive = async (message: object) => {
    const { message_id } = await manage("POST", `/connections/${connection_id}/simulate`, message);
    await waitForMessage(`${url}/api/v1/messages/${String(message_id)}`, key);
  };
  await createRecords(call);
  await fillInbox({ call, receive, ownerId });
  return { name, workspaceId, connections, key, user };
}

async function waitForMessage(messageUrl: string, token: string): Promise<void> {
  const deadline = Date.now() + RECEIVED_WITHIN_MS;
  while (!(await request("GET", messageUrl, { token })).ok) {
    if (Date.now() > deadline) throw new Error(`${messageUrl} did not arrive within ${RECEIVED_WITHIN_MS} ms.`);
    await sleep(50);
  }
}

interface NewMember {
  email: string;
  role: string;
  name: string;
}

/** Invites a person and accepts the invitation as a browser would. */
async function createMember(
  url: string,
  manage: Call,
  { email, role, name }: NewMember,
  chosenIds = "",
): Promise<Demo["user"]> {
  const user = { email, password: randomBytes(12).toString("base64url") };
  const { invitation } = await manage("POST", "/invitations", { email, role });
  const secret = new URL(fieldIn(invitation, "url")).hash.slice(1);
  const accepted = await fetch(`${url}/console/invitations/sign-up`, {
    method: "POST",
    headers: { Origin: url, "Tidings-Chosen-Ids": chosenIds },
    body: new URLSearchParams({ secret, name, password: user.password }),
    redirect: "manual",
  });
  if (accepted.status !== 303)
    throw new Error(`Accepting the invitation returned ${accepted.status}: ${await accepted.text()}`);
  return user;
}
