import { createCaller, fieldIn, idIn } from "../start/demo-requests.ts";

/** Creates a workspace with a sandbox connection and a key. Returns the text to print. */
export async function createFirstKey(url: string, adminToken: string): Promise<string> {
  const operate = createCaller(`${url}/manage/v1/workspaces`, adminToken, null);
  const workspaceId = idIn((await operate("POST", "", { name: "First workspace" })).workspace);
  const manage = createCaller(`${url}/manage/v1/workspaces/${workspaceId}`, adminToken, null);
  const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} };
  const connection_id = idIn((await manage("POST", "/connections", sandbox)).connection);
  const key = fieldIn(await manage("POST", "/api-keys", { name: "First key", connection_id }), "key");
  const message = JSON.stringify({ to: "+15550100006", text: "Hello from Tidings" });
  return `
Workspace ${workspaceId}
API key ${key}
  Store the key. It is not shown again. Send a message to a sandbox number that echoes it:

  curl ${url}/api/v1/messages -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${message}'
`;
}
