import { carried, identityNotice, messageFrom, ownMessageTo, statusOf } from "../provider-events.ts";
import { onShard } from "../storage.ts";
import { type Act, NAMES, PHONES, type Picker, type Scene, TEXTS, USER_IDS } from "./scene.ts";

const report = async ({ customer }: Scene, ...events: object[]): Promise<void> => {
  const bodies = await Promise.all(events.map((event) => carried(customer, event)));
  await customer.world.env.EVENTS_QUEUE.sendBatch(bodies.map((body) => ({ body })));
};

const person = (pick: Picker) => {
  const both = pick.below(3);
  return {
    phone: both === 1 ? null : pick.of(PHONES),
    userId: both === 0 ? null : pick.of(USER_IDS),
    name: pick.of(NAMES),
    username: pick.of(["@a", "@b", null, null]),
  };
};

const at = (pick: Picker) => Date.now() - (pick.happens(0.3) ? pick.below(120_000) : 0);

const revisionOf = (pick: Picker, providerKey: string, by: object | null) => {
  const kind = pick.of(["edit", "edit", "revoke"]);
  return {
    type: "revision",
    kind,
    revisionId: crypto.randomUUID(),
    providerKeys: [providerKey],
    by,
    body: kind === "edit" ? pick.of([...TEXTS, "STOP"]) : null,
    at: at(pick),
  };
};

const status: Act = async (scene, pick) => {
  const [message] = await onShard(
    scene.customer,
    "SELECT id, provider_message_id AS sent FROM messages WHERE workspace_id = ?1 AND NOT from_contact ORDER BY id LIMIT 1 OFFSET ?2",
    scene.customer.workspaceId,
    pick.below(20),
  );
  const recipient = pick.happens(0.3) ? { phone: pick.of([...PHONES, null]), userId: pick.of(USER_IDS) } : null;
  const id = String(message?.["id"] ?? "msg_none");
  const events = Array.from({ length: 1 + pick.below(2) }, () => {
    const name = pick.of(["sent", "delivered", "read", "failed"]);
    const key = pick.happens(0.3)
      ? { messageId: null, providerMessageId: String(message?.["sent"]), providerKey: String(message?.["sent"]) }
      : {};
    const error = name === "failed" ? { code: "undeliverable", message: "No.", providerCode: "1" } : null;
    return statusOf(id, recipient, name, { error, ...key });
  });
  await report(scene, ...events);
};

const revise: Act = async (scene, pick) => {
  const rows = await onShard(
    scene.customer,
    "SELECT provider_key, address, from_contact FROM messages WHERE workspace_id = ? AND provider_key IS NOT NULL ORDER BY id",
    scene.customer.workspaceId,
  );
  if (rows.length === 0) return;
  const { provider_key: key, address, from_contact: isInbound } = pick.of(rows);
  const isPhone = String(address).startsWith("+");
  const by = isInbound ? { phone: isPhone ? address : null, userId: isPhone ? null : address, name: null } : null;
  await report(
    scene,
    revisionOf(pick, String(key), by),
    ...(pick.happens(0.3) ? [revisionOf(pick, String(key), by)] : []),
  );
};

/** Returns the key of a message. If there is no message yet, the report refers to an unknown message. */
async function namedKey({ customer }: Scene, pick: Picker): Promise<string> {
  const rows = await onShard(
    customer,
    "SELECT coalesce(provider_key, provider_message_id) AS key FROM messages WHERE workspace_id = ? AND provider_message_id IS NOT NULL ORDER BY id",
    customer.workspaceId,
  );
  return String(rows.length === 0 ? "none" : pick.of(rows)["key"]);
}

const reactionBy = (pick: Picker, key: string) => {
  const emoji = pick.of(["👍", "❤️", ""]);
  const told = pick.happens(0.7)
    ? messageFrom(person(pick), `[reaction] ${emoji}`, at(pick))
    : ownMessageTo(person(pick), `[reaction] ${emoji}`);
  return { ...told, parts: { type: "reaction", content: { emoji }, replyTo: ["unknown", key] } };
};

const withParts = (pick: Picker, key: string) => {
  const media = { id: `media-${pick.below(1000)}`, url: null, mimeType: "image/jpeg", filename: null, sha256: null };
  return pick.happens(0.5)
    ? { parts: { type: "image", content: { caption: "Look" }, media, replyTo: pick.happens(0.3) ? [key] : [] } }
    : { parts: { type: "text", content: null, replyTo: [key], isForwarded: true } };
};

export const providerActs = {
  reaction: async (scene, pick) => report(scene, reactionBy(pick, await namedKey(scene, pick))),
  reactedInbound: (scene, pick) => {
    const message = messageFrom(person(pick), pick.of(TEXTS), at(pick));
    return report(scene, reactionBy(pick, message.providerMessageId), message);
  },
  inboundWithParts: async (scene, pick) => {
    const parts = withParts(pick, await namedKey(scene, pick));
    const message = pick.happens(0.7)
      ? messageFrom(person(pick), pick.of(TEXTS), at(pick))
      : ownMessageTo(person(pick), pick.of(TEXTS));
    return report(scene, { ...message, ...parts });
  },
  inbound: (scene, pick) =>
    report(scene, messageFrom(person(pick), pick.of([...TEXTS, "STOP", "START", "Stop promotions"]), at(pick))),
  revisedInbound: (scene, pick) => {
    const message = messageFrom(person(pick), pick.of(TEXTS), at(pick));
    return report(scene, revisionOf(pick, message.providerMessageId, message.from), message);
  },
  own: (scene, pick) =>
    report(scene, { ...ownMessageTo(person(pick), pick.of(TEXTS)), viaApi: pick.of([true, false, null]) }),
  preference: (scene, pick) =>
    report(scene, { type: "preference", from: person(pick), marketing: pick.of(["stop", "resume"]), at: at(pick) }),
  identity: (scene, pick) => {
    const { phone, userId } = person(pick);
    const isNumber = pick.happens(0.5);
    const before = isNumber ? { phone: pick.of(PHONES) } : { userId: pick.of(USER_IDS) };
    return report(
      scene,
      identityNotice(
        before,
        isNumber ? { phone: phone ?? pick.of(PHONES), userId } : { userId: userId ?? pick.of(USER_IDS) },
        at(pick),
      ),
    );
  },
  status,
  revise,
  notice: (scene, pick) =>
    report(scene, {
      type: "connection",
      status: pick.of(["disconnected", "connected", "connected"]),
      detail: null,
      at: at(pick),
    }),
} satisfies Record<string, Act>;
