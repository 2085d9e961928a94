// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference
import * as z from "zod";
import { parseJsonOrNull } from "../../../shared/text/json.ts";
import { errorNotice } from "../../answers.ts";
import type { OpenConnection } from "../../channel.ts";
import type { ChannelEvent, ConnectionStatus } from "../../channel-events.ts";
import { lenientText, lenientObject, type LenientText, storable, idOf, timeOf } from "../../provider-input.ts";
import { messageContent, messageContext } from "./bodies.ts";
import { errorOfStatus } from "../errors.ts";
import {
  idUpdateEvents,
  identityEvents,
  systemNotice,
  type Contact,
  contact,
  each,
  personOf,
  preferenceEvents,
} from "./people.ts";
import { contentOf, revision, revisionOf } from "./parts.ts";
import { agentContent, readEcho, standbyLists } from "./standby.ts";
import { statusEvents } from "./statuses.ts";
import {
  templateCategoryEvents,
  templateQualityEvents,
  templateStatusEvents,
} from "../templates/received-templates.ts";

const many = z.array(z.unknown()).catch([]);

const delivery = z.object({ entry: many });
const entry = z.object({ time: z.unknown().optional(), changes: many });
const change = z.object({ field: z.string().catch("messages"), value: z.record(z.string(), z.unknown()) });

const messages = z.object({
  metadata: lenientObject({ phone_number_id: lenientText }),
  contacts: many,
  messages: many,
  message_echoes: many,
  statuses: many,
  user_preferences: many,
  errors: many,
});

const message = messageContent.extend({
  ...messageContext,
  ...revision,
  id: z.string(),
  from: lenientText,
  from_user_id: lenientText,
  to: lenientText,
  to_user_id: lenientText,
  group_id: lenientText,
  timestamp: z.unknown().optional(),
  system: systemNotice,
});

const accountUpdate = z.object({
  event: lenientText,
  decision: lenientText,
  display_phone_number: lenientText,
  // Before 2026, Meta named this field `current_limit`.
  max_daily_conversations_per_business: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  current_limit: lenientText,
  ban_info: lenientObject({ waba_ban_state: z.unknown().optional() }),
  violation_info: lenientObject({ violation_type: lenientText }),
  restriction_info: z
    .array(z.object({ restriction_type: lenientText }))
    .nullish()
    .catch(null),
  alert_info: lenientObject({ alert_type: lenientText, alert_description: lenientText }),
});

type Messages = z.infer<typeof messages>;

interface Change {
  connection: OpenConnection;
  field: string;
  value: Record<string, unknown>;
  at: number;
  receivedAt: number;
}

const contactsIn = (value: Messages): Contact[] => value.contacts.flatMap((raw) => contact.safeParse(raw).data ?? []);

const isStandbyField = (field: string): boolean => field === "standby";

function inboundEvents(value: Messages, { field, receivedAt }: Change): ChannelEvent[] {
  const senders = contactsIn(value);
  return value.messages.flatMap(
    each(message, (sent) => {
      if (sent.group_id) return [];
      if (sent.type === "system") return identityEvents(sent, timeOf(sent.timestamp, receivedAt));
      const sender =
        senders.find(({ wa_id, user_id }) => (sent.from ? wa_id === sent.from : user_id === sent.from_user_id)) ??
        (senders.length === 1 ? senders[0] : undefined);
      const person = personOf(sent.from ?? sender?.wa_id, sent.from_user_id ?? sender?.user_id, sender);
      const id = idOf(sent.id);
      if (id === null || (person.phone === null && person.userId === null)) return [];
      const alias = idOf(sender?.wa_id ?? sent.from);
      const from = { ...person, aliases: alias === null || alias === person.userId ? [] : [alias] };
      const revised = revisionOf(sent, { by: from }, receivedAt);
      if (revised !== null) return [revised];
      return [
        {
          type: "message",
          messageId: null,
          providerMessageId: id,
          from,
          ...contentOf(sent),
          at: timeOf(sent.timestamp, receivedAt),
          ...(isStandbyField(field) && { isStandby: true }),
        },
      ];
    }),
  );
}

const echoEvents = (value: Messages, { field, receivedAt }: Change): ChannelEvent[] =>
  value.message_echoes.map(readEcho).flatMap(
    each(message, (sent) => {
      const to = personOf(sent.to, sent.to_user_id);
      const id = idOf(sent.id);
      if (id === null || sent.group_id || (to.phone === null && to.userId === null)) return [];
      const revised = revisionOf(sent, { by: null, to }, receivedAt);
      if (revised !== null) return [revised];
      const at = timeOf(sent.timestamp, receivedAt);
      const content = agentContent(sent) ?? contentOf(sent);
      const isStandby = isStandbyField(field) && { isStandby: true };
      return [{ type: "own", providerMessageId: id, providerKey: id, to, ...content, at, viaApi: false, ...isStandby }];
    }),
  );

function errorEvents(value: Messages, at: number): ChannelEvent[] {
  const known = value.errors.flatMap((error) => errorOfStatus([error]) ?? []);
  return known.map(({ error, notice }) => ({
    type: "connection",
    ...(notice ?? { status: null, detail: storable(error.message) }),
    at,
  }));
}

const ENDED = new Set(["ACCOUNT_DELETED", "PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED"]);

function statusAfter(event: LenientText, bans: string[]): ConnectionStatus | null {
  if (bans.includes("DISABLE") || ENDED.has(event ?? "")) return "error";
  return bans.includes("REINSTATE") ? "active" : null;
}

const accountEvents = (field: string, value: unknown, at: number): ChannelEvent[] =>
  each(accountUpdate, (update) => {
    const bans = [update.ban_info?.waba_ban_state].flat().filter((state) => typeof state === "string");
    const messagingLimit = update.max_daily_conversations_per_business ?? update.current_limit;
    const said = [
      update.event ?? update.decision,
      ...bans,
      update.violation_info?.violation_type,
      ...(update.restriction_info ?? []).map(({ restriction_type }) => restriction_type),
      update.alert_info?.alert_type,
      update.alert_info?.alert_description,
      update.display_phone_number,
      messagingLimit,
    ].filter((part) => typeof part === "string" && part !== "");
    const { detail } = errorNotice(storable(`${field.replaceAll("_", " ")}: ${said.join(", ")}`));
    const limit = messagingLimit ? { messagingLimit: storable(messagingLimit) } : {};
    const status = statusAfter(update.event, bans);
    return said.length === 0 ? [] : [{ type: "connection", status, detail, ...limit, at }];
  })(value);

/**
 * Meta sends the events of all numbers of an account to one URL. A connection belongs to one number, so it
 * skips the events of the others.
 */
const isOurs = ({ metadata }: Messages, { config }: OpenConnection) =>
  !metadata?.phone_number_id || !config["phone_number_id"] || metadata.phone_number_id === config["phone_number_id"];

function contentEvents(reported: Change): ChannelEvent[] {
  const { connection, value, at, receivedAt } = reported;
  const { data } = messages.safeParse(value);
  if (data === undefined || !isOurs(data, connection)) return [];
  return [
    ...inboundEvents(data, reported),
    ...echoEvents(data, reported),
    ...data.statuses.flatMap((raw) => statusEvents(raw, contactsIn(data), receivedAt)),
    ...preferenceEvents(data.user_preferences, receivedAt),
    ...errorEvents(data, at),
  ];
}

const accountNotices = ({ field, value, at }: Change): ChannelEvent[] => accountEvents(field, value, at);

const readers = new Map<string, (change: Change) => ChannelEvent[]>([
  ["messages", contentEvents],
  ["smb_message_echoes", contentEvents],
  ["standby", (reported) => contentEvents({ ...reported, value: standbyLists(reported.value) })],
  ["user_preferences", contentEvents],
  ["user_id_update", ({ value, at }) => idUpdateEvents(value, at)],
  ["message_template_status_update", ({ value, at }) => templateStatusEvents(value, at)],
  ["message_template_quality_update", ({ value, at }) => templateQualityEvents(value, at)],
  ["template_category_update", ({ value, at }) => templateCategoryEvents(value, at)],
  ["account_update", accountNotices],
  ["account_alerts", accountNotices],
  ["account_review_update", accountNotices],
  ["phone_number_quality_update", accountNotices],
  ["phone_number_name_update", accountNotices],
  ["business_capability_update", accountNotices],
]);

/** Meta sends this field to some apps, but rejects a subscription to it. */
const NOT_SUBSCRIBABLE = ["user_id_update"];

export const webhookFields: readonly string[] = [...readers.keys()].filter(
  (field) => !NOT_SUBSCRIBABLE.includes(field),
);

export function parseCloudWebhook(connection: OpenConnection, body: string, receivedAt: number): ChannelEvent[] {
  const entries = delivery.safeParse(parseJsonOrNull(body)).data?.entry ?? [];
  return entries.flatMap(
    each(entry, ({ time, changes }) => {
      const at = timeOf(time, receivedAt);
      return changes.flatMap(
        each(change, ({ field, value }) => readers.get(field)?.({ connection, field, value, at, receivedAt }) ?? []),
      );
    }),
  );
}
