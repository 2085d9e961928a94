import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere, writeWhole } from "./secrets.ts";

interface DemoWorkspace {
  name: string;
  workspaceId: string;
  connections: { official: string; unofficial: string };
  key: string;
}

export interface Demo extends DemoWorkspace {
  /** An owner, who signs in to the console. */
  user: { email: string; password: string };
}

interface Place {
  url: string;
  adminToken: string;
  stateDir: string;
}

const PLAN = { field_key: "plan", label: "Plan", type: "select", options: ["free", "pro"] };

const CONTACTS = [
  { phone: "+15550100101", name: "Ada Okafor", email: "ada@example.com", company: "Okafor & Söhne", tags: ["VIP"] },
  { phone: "+5511955501102", name: "Bruno Lima", tags: ["Newsletter"], status: "warm" },
  { phone: "+447700900103", name: "Chloe Evans", email: "chloe@example.org", tags: ["VIP", "Newsletter"] },
  { phone: "+4915155500104", name: "Jörg Weiß", company: "Weiß GmbH", lifecycle_stage: "customer" },
].map((contact, index) => ({ ...contact, source: "demo", custom_fields: { plan: PLAN.options[index % 2] } }));

const MESSAGES = [
  { from: "+15550100101", name: "Ada Okafor", text: "Hi! Is my order on its way?" },
  { from: "+5511955501102", name: "Bruno Lima", text: "Bom dia, quero saber o preço." },
  { from: "+447700900103", name: "Chloe Evans", text: "Thanks, it works now." },
];

/** The demo workspace of this state directory: made on the first start, used again while it is there and its key works. */
export async function prepareDemo(place: Place): Promise<Demo> {
  const file = join(place.stateDir, "demo.json");
  const known = await readIfThere(file);
  if (known) {
    const demo: Demo = JSON.parse(known);
    if (await stillWorks(place, demo)) {
      await syncTemplates(place, demo);
      return demo;
    }
  }
  const workspace = await createWorkspace(place);
  const demo = { ...workspace, user: await createOwner(place, workspace.workspaceId) };
  await mkdir(place.stateDir, { recursive: true });
  await writeWhole(file, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}

async function stillWorks({ url, adminToken }: Place, demo: Demo): Promise<boolean> {
  if (!Object.hasOwn(demo, "user")) return false; // made before there was a console
  const answers = await Promise.all([
    request("GET", `${url}/manage/v1/workspaces/${demo.workspaceId}`, adminToken),
    request("GET", `${url}/api/v1/conversations?limit=1`, demo.key),
  ]);
  return answers.every(({ ok }) => ok);
}

/** A workspace that was made earlier gets the templates that the sandbox has had since. */
async function syncTemplates({ url, adminToken }: Place, { workspaceId, connections }: Demo): Promise<void> {
  const path = `${url}/manage/v1/workspaces/${workspaceId}/connections/${connections.official}/sync-templates`;
  const answer = await request("POST", path, adminToken);
  if (!answer.ok) console.warn(`The sandbox's templates could not be synced: ${answer.status} ${await answer.text()}`);
}

async function createWorkspace({ url, adminToken }: Place): Promise<DemoWorkspace> {
  const manage = async (path: string, body: object) =>
    read(await request("POST", `${url}/manage/v1/workspaces${path}`, adminToken, body));
  const connect = async (channel: string) => {
    const sandbox = { name: `Sandbox, ${channel}`, channel, provider: "sandbox", config: {} };
    return idIn((await manage(`/${workspaceId}/connections`, sandbox)).connection);
  };

  const name = "Demo";
  const workspaceId = idIn((await manage("", { name })).workspace);
  const connections = { official: await connect("official"), unofficial: await connect("unofficial") };
  const { key } = await manage(`/${workspaceId}/api-keys`, { name: "Demo", connection_id: connections.unofficial });
  if (typeof key !== "string") throw new Error("The new API key is missing in the answer.");
  const create = async (path: string, body: object) => read(await request("POST", `${url}/api/v1${path}`, key, body));
  await create("/custom-fields", PLAN);
  await create("/contacts/batch", { contacts: CONTACTS });
  for (const connection of Object.values(connections)) {
    for (const message of MESSAGES) await manage(`/${workspaceId}/connections/${connection}/simulate`, message);
  }
  return { name, workspaceId, connections, key };
}

/** Invites somebody and accepts, as they would in a browser. */
async function createOwner({ url, adminToken }: Place, workspaceId: string): Promise<Demo["user"]> {
  const user = {
    email: `demo-${workspaceId.slice(-4)}@example.com`,
    password: randomBytes(12).toString("base64url"),
  };
  const path = `${url}/manage/v1/workspaces/${workspaceId}/invitations`;
  const { invitation } = await read(await request("POST", path, adminToken, { email: user.email, role: "owner" }));
  const secret = new URL(fieldIn(invitation, "url")).hash.slice(1);
  const accepted = await fetch(`${url}/console/invitations/sign-up`, {
    method: "POST",
    headers: { Origin: url },
    body: new URLSearchParams({ secret, name: "Demo Owner", password: user.password }),
    redirect: "manual",
  });
  if (accepted.status !== 303) throw new Error(`The invitation answered ${accepted.status}: ${await accepted.text()}`);
  return user;
}

function request(method: string, url: string, token: string, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function read(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

const idIn = (record: unknown) => fieldIn(record, "id");

function fieldIn(record: unknown, name: string): string {
  const value: unknown = typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
  if (typeof value === "string") return value;
  throw new Error(`${name} is missing in ${JSON.stringify(record)}`);
}
