import { z } from "zod";
import { callApi, type Workspace } from "./people.ts";

const made = z.object({ id: z.string() });
const ids = {
  connection: z.object({ connection: made }),
  field: z.object({ custom_field: made }),
  template: z.object({ template: made }),
};

/** Creates a key for the sandbox connection. Also sets a plan that includes the API. */
export async function keyOf(workspace: Workspace, key: object = {}): Promise<string> {
  await workspace.manage("PATCH", "", { plan: "growth" });
  const body = { name: "Web shop", connection_id: workspace.connectionId, ...key };
  return z.object({ key: z.string() }).parse(await workspace.manage("POST", "/api-keys", body)).key;
}

export async function furnish(workspace: Workspace) {
  const key = await keyOf(workspace);
  await keyOf(workspace, {
    name: "Monthly report of the accounting department",
    read_only: true,
    expires_at: "2099-12-31T23:59:59Z",
    rate_limit: { requests: 100, window_seconds: 60 },
  });
  const call = (path: string, body: object) => callApi(key, "POST", path, body);
  const official = { name: "Official sandbox", channel: "official", provider: "sandbox", config: {} };
  await workspace.manage("POST", "/connections", official);
  const waha = ids.connection.parse(
    await workspace.manage("POST", "/connections", {
      name: "Phone of the workshop in Porto Alegre",
      channel: "unofficial",
      provider: "waha",
      config: { base_url: "https://waha.example.com", session: "default", api_key: "waha-api-key-1234" },
    }),
  ).connection.id;
  for (const [name, color] of [
    ["Newsletter", "#15803d"],
    ["Waiting for a part", "#c2410c"],
    ["VIP", "#9333ea"],
  ])
    await call("/tags", { name, color });
  await call("/custom-fields", { field_key: "customer_since", label: "Customer since", type: "date" });
  const options = ["Small", "Medium", "Large", "Extra large"];
  const size = { field_key: "shirt_size", label: "Shirt size", type: "select", options };
  const field = ids.field.parse(await call("/custom-fields", size)).custom_field.id;
  const body = "Hi {{first_name|there}}, your shirt ({{shirt_size}}) is ready. Show this code: {{code}}";
  const template = ids.template.parse(await call("/templates", { name: "shirt_ready", body })).template.id;
  await call("/messages", { to: "+14155550100", text: "Your order has left our house. Thank you for waiting!" });
  return { waha, field, template };
}
