import { CONVERSATIONS, field, numberOf, person, type populate, sandbox, segment } from "./endpoint-data.ts";
import type { Answer, Customer } from "./world.ts";

type Ids = Awaited<ReturnType<typeof populate>>;

export function callsOf(customer: Customer, ids: Ids): Record<string, () => Promise<Answer>> {
  let count = CONVERSATIONS;
  const once = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });
  const { world, connectionId } = customer;
  const { spareConnections } = ids;
  const conversation = `/conversations/${ids.conversation}`;
  const contact = `/contacts/${ids.contact}`;
  const template = `/templates/${ids.template}`;
  const status = () => (count++ % 2 === 0 ? "open" : "done");
  const connection = `/connections/${connectionId}`;
  const apiKey = `/api-keys/${ids.spareKey}`;
  const campaign = `/campaigns/${ids.campaign}`;
  const draft = `/campaigns/${ids.draft}`;
  const audience = { template_id: ids.campaignTemplate, channel: "unofficial", filter_tags: ["VIP"] };
  const webhook = `/webhooks/${ids.webhook}`;
  const hook = { url: ids.receiver.url, types: ["api_key.*"] };
  const newKey = { name: "Key", connection_id: connectionId };
  return {
    "GET /me": () => customer.call("GET", "/me"),
    "POST /messages": () => customer.send(numberOf(count++), "Hello", once()),
    "POST /messages/batch": () =>
      customer.call(
        "POST",
        "/messages/batch",
        { messages: Array.from({ length: 100 }, () => ({ to: numberOf(count++), text: "Hello" })) },
        once(),
      ),
    "GET /messages": () => customer.call("GET", `/messages?conversation_id=${ids.conversation}`),
    "POST /messages/:id/cancel": async () => {
      const send_at = new Date(Date.now() + 86_400_000).toISOString();
      const later = await customer.call("POST", "/messages", { to: numberOf(count++), text: "Later", send_at });
      return customer.call("POST", `/messages/${later.body.message_id}/cancel`, undefined, once());
    },
    "GET /messages/:id": () => customer.call("GET", `/messages/${ids.message}`),
    "POST /conversations/:id/messages": () => customer.call("POST", `${conversation}/messages`, { text: "Hi" }, once()),
    "GET /conversations/:id/messages": () => customer.call("GET", `${conversation}/messages`),
    "POST /conversations/:id/notes": () =>
      customer.call("POST", `${conversation}/notes`, { body: "Called back." }, once()),
    "GET /templates": () => customer.call("GET", "/templates"),
    "POST /templates": () =>
      customer.call("POST", "/templates", { name: `New ${count++}`, body: "Hi {{name}}" }, once()),
    "GET /templates/:id": () => customer.call("GET", template),
    "PATCH /templates/:id": () => customer.call("PATCH", template, { body: `Hi {{name|you}} ${count++}` }, once()),
    "DELETE /templates/:id": () => customer.call("DELETE", `/templates/${ids.spareTemplates.pop()}`, undefined, once()),
    "POST /templates/:id/send": () => customer.call("POST", `${template}/send`, { to: numberOf(count++) }, once()),
    "GET /campaigns": () => customer.call("GET", "/campaigns?limit=20"),
    "POST /campaigns": () => customer.call("POST", "/campaigns", audience, once()),
    "POST /campaigns/preview": () => customer.call("POST", "/campaigns/preview", audience),
    "GET /campaigns/:id": () => customer.call("GET", campaign),
    "POST /campaigns/:id/pause": () => customer.call("POST", `${campaign}/pause`, undefined, once()),
    "POST /campaigns/:id/resume": () => customer.call("POST", `/campaigns/${ids.spareCampaigns.pop()}/resume`),
    "POST /campaigns/:id/cancel": () => customer.call("POST", `/campaigns/${ids.spareCampaigns.pop()}/cancel`),
    "PATCH /campaigns/:id": () => customer.call("PATCH", draft, { name: `Draft ${count++}` }, once()),
    "POST /campaigns/:id/duplicate": () => customer.call("POST", `${campaign}/duplicate`, undefined, once()),
    "POST /campaigns/:id/preview": () => customer.call("POST", `${draft}/preview`),
    "POST /campaigns/:id/start": () =>
      customer.call("POST", `/campaigns/${ids.spareDrafts.pop()}/start`, undefined, once()),
    "POST /campaigns/:id/test": () => customer.call("POST", `${campaign}/test`, { to: numberOf(count++) }, once()),
    "GET /campaigns/:id/recipients.csv": () => customer.call("GET", `${campaign}/recipients.csv`),
    "GET /campaigns/:id/recipients": () => customer.call("GET", `${campaign}/recipients`),
    "GET /conversations": () => customer.call("GET", "/conversations"),
    "POST /conversations": () => customer.call("POST", "/conversations", { contact_id: ids.contact }, once()),
    "POST /conversations/bulk": () =>
      customer.call("POST", "/conversations/bulk", { ids: [ids.conversation], labels: [`Label ${count++}`] }, once()),
    "GET /members": () => customer.call("GET", "/members"),
    "GET /conversations/:id": () => customer.call("GET", conversation),
    "PATCH /conversations/:id": () => customer.call("PATCH", conversation, { status: status() }, once()),
    "POST /conversations/:id/read": () => customer.call("POST", `${conversation}/read`, undefined, once()),
    "POST /media": () => customer.call("POST", "/media", { url: "http://127.0.0.1:9/a.png" }, once()),
    "GET /media": () => customer.call("GET", "/media"),
    "GET /media/:id": () => customer.call("GET", `/media/${ids.media[0]}`),
    "DELETE /media/:id": () => customer.call("DELETE", `/media/${ids.media.pop()}`, undefined, once()),
    "GET /media/:id/content": () => customer.call("GET", `/media/${ids.media[0]}/content`),
    "GET /contacts": () => customer.call("GET", "/contacts?search=bench&tag=vip&status=new"),
    "POST /contacts": () => customer.call("POST", "/contacts", person(count++), once()),
    "POST /contacts/batch": () =>
      customer.call(
        "POST",
        "/contacts/batch",
        { contacts: Array.from({ length: 500 }, () => person(count++)) },
        once(),
      ),
    "GET /contacts/:id": () => customer.call("GET", contact),
    "PATCH /contacts/:id": () => customer.call("PATCH", contact, { name: `Ada ${count++}` }, once()),
    "PUT /contacts/:id": () => customer.call("PUT", contact, { is_unsubscribed: count++ % 2 === 0 }, once()),
    "DELETE /contacts/:id": () => customer.call("DELETE", `/contacts/${ids.archived.pop()}`, undefined, once()),
    "POST /contacts/:id/restore": () => customer.call("POST", `/contacts/${ids.restored.pop()}/restore`),
    "POST /contacts/:id/merge": () => customer.call("POST", `${contact}/merge`, { from: ids.merged.pop() }, once()),
    "POST /contacts/bulk": () =>
      customer.call("POST", "/contacts/bulk", { filter: { tag: "VIP" }, action: "add_tags", tags: ["Berlin"] }, once()),
    "GET /jobs": () => customer.call("GET", "/jobs"),
    "GET /jobs/:id": () => customer.call("GET", `/jobs/${ids.job}`),
    "GET /tags": () => customer.call("GET", "/tags"),
    "POST /tags": () => customer.call("POST", "/tags", { name: `Tag ${count++}` }, once()),
    "PATCH /tags/:id": () => customer.call("PATCH", `/tags/${ids.tags[0]}`, { name: `Renamed ${count++}` }, once()),
    "DELETE /tags/:id": () => customer.call("DELETE", `/tags/${ids.tags.pop()}`, undefined, once()),
    "GET /custom-fields": () => customer.call("GET", "/custom-fields"),
    "POST /custom-fields": () => customer.call("POST", "/custom-fields", field(count++), once()),
    "PATCH /custom-fields/:id": () =>
      customer.call("PATCH", `/custom-fields/${ids.fields[0]}`, { label: "New" }, once()),
    "DELETE /custom-fields/:id": () => customer.call("DELETE", `/custom-fields/${ids.fields.pop()}`, undefined, once()),
    "GET /canned-replies": () => customer.call("GET", "/canned-replies"),
    "POST /canned-replies": () =>
      customer.call("POST", "/canned-replies", { shortcut: `new-${count++}`, body: "Hi" }, once()),
    "GET /canned-replies/:id": () => customer.call("GET", `/canned-replies/${ids.replies[0]}`),
    "PATCH /canned-replies/:id": () =>
      customer.call("PATCH", `/canned-replies/${ids.replies[0]}`, { body: `Hi ${count++}` }, once()),
    "DELETE /canned-replies/:id": () =>
      customer.call("DELETE", `/canned-replies/${ids.replies.pop()}`, undefined, once()),
    "GET /segments": () => customer.call("GET", "/segments"),
    "POST /segments": () => customer.call("POST", "/segments", segment, once()),
    "GET /segments/:id": () => customer.call("GET", `/segments/${ids.segments[0]}`),
    "PATCH /segments/:id": () => customer.call("PATCH", `/segments/${ids.segments[0]}`, segment, once()),
    "DELETE /segments/:id": () => customer.call("DELETE", `/segments/${ids.segments.pop()}`, undefined, once()),
    "GET /segments/:id/contacts": () => customer.call("GET", `/segments/${ids.segments[0]}/contacts`),
    "GET /segments/:id/count": () => customer.call("GET", `/segments/${ids.segments[0]}/count`),
    "GET /events": () => customer.call("GET", "/events?limit=20"),
    "GET /events/:id": () => customer.call("GET", `/events/${ids.event}`),
    "GET /webhooks": () => customer.call("GET", "/webhooks"),
    "POST /webhooks": () => customer.call("POST", "/webhooks", hook, once()),
    "GET /webhooks/:id": () => customer.call("GET", webhook),
    "PATCH /webhooks/:id": () => customer.call("PATCH", webhook, { description: `Hook ${count++}` }, once()),
    "DELETE /webhooks/:id": () => customer.call("DELETE", `/webhooks/${ids.spareWebhooks.pop()}`, undefined, once()),
    "POST /webhooks/:id/rotate-secret": () => customer.call("POST", `${webhook}/rotate-secret`, {}, once()),
    "POST /webhooks/:id/test": () => customer.call("POST", `${webhook}/test`, undefined, once()),
    "POST /webhooks/:id/pause": () => customer.call("POST", `${webhook}/pause`, undefined, once()),
    "POST /webhooks/:id/enable": () => customer.call("POST", `${webhook}/enable`, undefined, once()),
    "POST /webhooks/:id/replay": () => customer.call("POST", `${webhook}/replay`, { only: "failed" }),
    "GET /webhooks/:id/deliveries": () => customer.call("GET", `${webhook}/deliveries`),
    "POST /webhooks/:id/deliveries/:delivery/retry": () =>
      customer.call("POST", `${webhook}/deliveries/${ids.webhookDelivery}/retry`),
    "GET /status": () => world.manage("GET", "/status"),
    "POST /workspaces": () => world.manage("POST", "/workspaces", { name: "New" }),
    "GET /workspaces": () => world.manage("GET", "/workspaces"),
    "GET /workspaces/:ws": () => customer.manage("GET", ""),
    "PATCH /workspaces/:ws": () => customer.manage("PATCH", "", { name: "Renamed" }),
    "GET /workspaces/:ws/members": () => customer.manage("GET", "/members"),
    "PATCH /workspaces/:ws/members/:id": () => customer.manage("PATCH", `/members/${ids.owner}`, { role: "owner" }),
    "DELETE /workspaces/:ws/members/:id": () => customer.manage("DELETE", `/members/${ids.members.pop()}`),
    "POST /workspaces/:ws/members/:id/reset-link": () => customer.manage("POST", `/members/${ids.owner}/reset-link`),
    "POST /workspaces/:ws/members/:id/confirm": () => customer.manage("POST", `/members/${ids.owner}/confirm`),
    "POST /workspaces/:ws/invitations": () =>
      customer.manage("POST", "/invitations", { email: `person${count++}@example.com`, role: "agent" }),
    "GET /workspaces/:ws/invitations": () => customer.manage("GET", "/invitations"),
    "DELETE /workspaces/:ws/invitations/:id": () => customer.manage("DELETE", `/invitations/${ids.invitations.pop()}`),
    "POST /workspaces/:ws/connections": () => customer.manage("POST", "/connections", sandbox),
    "GET /workspaces/:ws/connections": () => customer.manage("GET", "/connections"),
    "GET /workspaces/:ws/connections/:id": () => customer.manage("GET", connection),
    "PATCH /workspaces/:ws/connections/:id": () => customer.manage("PATCH", connection, { name: "Renamed" }),
    "POST /workspaces/:ws/connections/:id/test": () => customer.manage("POST", `${connection}/test`),
    "POST /workspaces/:ws/connections/:id/sync-templates": () =>
      customer.manage("POST", `/connections/${ids.official}/sync-templates`),
    "DELETE /workspaces/:ws/connections/:id": () => customer.manage("DELETE", `/connections/${spareConnections.pop()}`),
    "POST /workspaces/:ws/connections/:id/simulate": () =>
      customer.manage("POST", `${connection}/simulate`, { from: numberOf(0), text: "Hello?" }),
    "GET /workspaces/:ws/events/dead": () => customer.manage("GET", "/events/dead"),
    "POST /workspaces/:ws/events/dead/:id/replay": () =>
      customer.manage("POST", `/events/dead/${ids.deadEvents.pop()}/replay`),
    "GET /workspaces/:ws/connections/:id/outbox": () => customer.manage("GET", `${connection}/outbox`),
    "POST /workspaces/:ws/campaigns/:id/reconcile": () => customer.manage("POST", `${campaign}/reconcile`),
    "POST /workspaces/:ws/api-keys": () => customer.manage("POST", "/api-keys", newKey),
    "GET /workspaces/:ws/api-keys": () => customer.manage("GET", "/api-keys"),
    "GET /workspaces/:ws/api-keys/:id": () => customer.manage("GET", apiKey),
    "PATCH /workspaces/:ws/api-keys/:id": () => customer.manage("PATCH", apiKey, { name: "Renamed" }),
    "GET /workspaces/:ws/requests": () => customer.manage("GET", "/requests?status=2xx"),
    "GET /workspaces/:ws/requests/usage": () => customer.manage("GET", "/requests/usage"),
    "GET /workspaces/:ws/statistics": () => customer.manage("GET", "/statistics?days=90"),
    "POST /workspaces/:ws/api-keys/:id/revoke": () => customer.manage("POST", `${apiKey}/revoke`),
  };
}
