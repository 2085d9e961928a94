import { type Provider, providerFacts, providerIds } from "../../channels/providers.ts";
import * as z from "zod";
import { documentedChoices } from "../../http/request/choices.ts";
import type { connections } from "../../db/schema/index.ts";
import { channelName, connectionStatus } from "../../channels/channel-events.ts";
import { sealedSecret } from "../../shared/security/crypto.ts";
import { idCursorParam, EVEN_WITH_OTHER_FAULTS, limitParam, boundedText, timestamp } from "../../http/fields.ts";
import { REPORT } from "../../shared/faults.ts";
import { fromJson } from "../../shared/text/json.ts";
import { iso } from "../../shared/time/iso-times.ts";

/** The API returns secrets masked. A client that sends the mask back must not replace the secret with the mask. */
const secret = boundedText(2000)
  .refine((value) => !/\p{Cc}/u.test(value), {
    message: "Must not contain line breaks or other control characters.",
    params: { code: "invalid_characters" },
  })
  .refine((value) => !value.startsWith("••••"), {
    message: "Must not be a masked secret. Omit this field to keep the stored secret.",
    params: { code: "masked_secret" },
  });
/**
 * Ids at Meta contain only digits. The message names the phone number, because users often enter the number instead.
 */
const metaId = boundedText(30).refine((value) => /^\d+$/.test(value), {
  message: "Must be the id, which contains only digits, not the phone number.",
  params: { code: "invalid_format" },
});
const sessionName = boundedText(54).refine((value) => /^[\w-]+$/.test(value), {
  message: "Must be the name of the session in WAHA: letters, digits, - and _.",
  params: { code: "invalid_format" },
});
const flag = z.boolean().transform(String);
const httpsUrl = (example: string) =>
  z.url({ protocol: /^https?$/, error: `Must be a web address, like ${example}.` }).max(500);

/** Missing settings in `generated` get a random value. Settings in `flags` are boolean. */
export const providers = {
  sandbox: { config: z.strictObject({}), secrets: [], generated: [], flags: [] },
  whatsapp_cloud: {
    config: z.strictObject({
      phone_number_id: metaId,
      business_account_id: metaId,
      access_token: secret,
      app_secret: secret,
      verify_token: secret.optional(),
      app_id: metaId.optional().meta({ description: "Id of the Meta app that uploads example files of templates." }),
      marketing_route: z
        .enum(["messages", "marketing_messages"])
        .optional()
        .meta({ description: "Path of Meta's API that receives marketing templates. Default: `messages`." }),
      coexistence: flag.optional().meta({
        description:
          "True if the WhatsApp Business app also uses the number. Meta limits such a number to 20 messages per second.",
      }),
      api_base: httpsUrl("https://graph.facebook.com").optional(),
      api_version: z
        .string()
        .regex(/^v\d{1,3}\.\d{1,2}$/, "Must be a version, like v25.0.")
        .optional(),
    }),
    secrets: ["access_token", "app_secret", "verify_token"],
    generated: ["verify_token"],
    flags: ["coexistence"],
  },
  waha: {
    config: z.strictObject({
      base_url: httpsUrl("https://waha.example.com"),
      session: sessionName,
      api_key: secret,
      webhook_hmac_key: secret.optional(),
    }),
    secrets: ["api_key", "webhook_hmac_key"],
    generated: ["webhook_hmac_key"],
    flags: [],
  },
} as const satisfies Record<Provider, unknown>;

const providerName = z.enum(providerIds).meta({
  id: "Provider",
  description: "`sandbox` simulates a phone network inside Tidings, so nobody receives its messages.",
});

const documentedSettings = () =>
  providerIds.map((provider) => {
    const { $schema: _, ...settings } = z.toJSONSchema(providers[provider].config, { io: "input" });
    return { provider, channels: [...providerFacts[provider].channels], settings };
  });

const config = z.record(z.string(), z.unknown()).meta({
  description: "Settings of the provider. The sandbox requires {}.",
  override: ({ jsonSchema }) => {
    jsonSchema.anyOf = documentedSettings().map(({ provider: title, settings }) => ({ title, ...settings }));
  },
});

const settings = z.strictObject({
  name: boundedText(120),
  messages_per_second: z.int().min(1).max(1000).optional(),
  is_default: z.boolean().optional(),
});

export const createConnectionBody = settings
  .extend({ channel: channelName, provider: providerName, config })
  // Runs even if other fields are invalid, so that one response lists all errors. `sent` can therefore contain invalid
  // values.
  .superRefine((sent, issues) => {
    const provider = providerName.safeParse(sent.provider).data;
    if (provider === undefined) return;
    const { channels } = providerFacts[provider];
    const channel = channelName.safeParse(sent.channel).data;
    if (channel !== undefined && !channels.some((served) => served === channel)) {
      const message = `Provider ${provider} supports only ${channels.join(" and ")} connections.`;
      issues.addIssue({ code: "custom", path: ["channel"], message, params: { code: "invalid_value" } });
    }
    if (!config.safeParse(sent.config).success) return;
    const parsed = providers[provider].config.safeParse(sent.config, REPORT);
    for (const issue of parsed.error?.issues ?? []) issues.addIssue({ ...issue, path: ["config", ...issue.path] });
  }, EVEN_WITH_OTHER_FAULTS)
  .meta({
    override: (context) =>
      documentedChoices({
        oneOf: documentedSettings().map(({ provider, channels, settings: sent }) => ({
          required: ["provider", "channel", "config"],
          properties: {
            provider: { type: "string", const: provider },
            channel: { type: "string", enum: channels },
            config: sent,
          },
        })),
      }).override(context),
  });

/** The service validates `config`, because the schema depends on the provider. */
export const updateConnectionBody = settings.extend({ config }).partial();

export const connectionChange = ({
  name,
  config: sent,
  messages_per_second,
  is_default,
}: z.infer<typeof updateConnectionBody>) => ({
  ...(name !== undefined && { name }),
  ...(sent !== undefined && { config: sent }),
  ...(messages_per_second !== undefined && { messagesPerSecond: messages_per_second }),
  ...(is_default !== undefined && { isDefault: is_default }),
});

export const listConnectionsQuery = z.strictObject({ limit: limitParam(), cursor: idCursorParam("conn") });

export const sealedSecrets = z.record(z.string(), sealedSecret);

export const storedSettings = {
  config: fromJson(z.record(z.string(), z.string())),
  secrets: fromJson(sealedSecrets),
};

export const connectionSummary = {
  id: z.string(),
  name: z.string(),
  channel: channelName,
  provider: providerName,
  status: connectionStatus,
};

export const connectionView = z
  .strictObject({
    ...connectionSummary,
    status_detail: z.string().nullable().meta({ description: "Problem that the provider reports, if any." }),
    is_default: z.boolean().meta({
      description:
        "True for the channel's default connection. Campaigns use it if the connection of the API key is on another channel.",
    }),
    messages_per_second: z.int().meta({ description: "Maximum number of messages sent per second." }),
    messaging_limit: z.string().nullable().meta({
      description:
        "Number of people per day to whom the account can send a first message. The provider's own value, such as `TIER_10K`.",
    }),
    webhook_url: z
      .string()
      .meta({ description: "URL for the provider's events. Enter it in the provider's settings." }),
    config: z
      .record(z.string(), z.union([z.string(), z.boolean()]))
      .meta({ description: "Of each secret, the response has only the last four characters." }),
    created_at: timestamp,
  })
  .meta({ id: "Connection" });

export type Connection = typeof connections.$inferSelect;

function presentSettings({ provider, config: stored }: Connection): Record<string, string | boolean> {
  const flags: readonly string[] = providers[provider].flags;
  const entries = Object.entries(stored).map(([name, value]) => [
    name,
    flags.includes(name) ? value === "true" : value,
  ]);
  return Object.fromEntries(entries);
}

export function presentConnection(row: Connection, origin: string): z.infer<typeof connectionView> {
  const hints = Object.entries(row.secrets).map(([name, { hint }]) => [name, hint]);
  return {
    id: row.id,
    name: row.name,
    channel: row.channel,
    provider: row.provider,
    status: row.status,
    status_detail: row.statusDetail,
    is_default: row.isDefault,
    messages_per_second: row.messagesPerSecond,
    messaging_limit: row.messagingLimit,
    webhook_url: `${origin}/hooks/${row.id}`,
    config: { ...presentSettings(row), ...Object.fromEntries(hints) },
    created_at: iso(row.createdAt),
  };
}
