import * as z from "zod";
import type { FC } from "hono/jsx";
import { type Connection, providers } from "../../../features/connections/connections.schemas.ts";
import type { Provider } from "../../../channels/providers.ts";
import { Badge, type Tone } from "../../kit/feedback.tsx";
import { toLabel } from "../../kit/format.ts";
import { SelectField, TextField } from "../../kit/forms/form-fields.tsx";

export const CONNECTIONS_PATH = "/settings/connections";

export const providerDescriptions = {
  sandbox: "A simulated phone network. Nothing leaves Tidings, so you can try everything.",
  whatsapp_cloud:
    "WhatsApp's official API for a business number. You can send free text within 24 hours after a person writes, and templates at any time.",
  waha: "A WhatsApp account linked as a second phone, through a WAHA server that you run.",
} satisfies Record<Provider, string>;

interface SettingText {
  label: string;
  help: string;
  empty?: string;
}

type SettingTexts<P extends Provider> = Record<keyof z.infer<(typeof providers)[P]["config"]>, SettingText>;

const settingTexts: { [P in Provider]: SettingTexts<P> } = {
  sandbox: {},
  whatsapp_cloud: {
    phone_number_id: {
      label: "Phone number ID",
      help: "developers.facebook.com → your app → WhatsApp → API setup, below the number. This is not the phone number.",
    },
    business_account_id: {
      label: "WhatsApp Business account ID",
      help: "On the same page, next to the phone number ID.",
    },
    access_token: {
      label: "Access token",
      help: "business.facebook.com → Settings → System users → Generate token, with whatsapp_business_messaging and whatsapp_business_management. The token on the setup page expires after a day.",
    },
    app_secret: { label: "App secret", help: "Your app → App settings → Basic → App secret → Show." },
    verify_token: {
      label: "Verify token",
      help: "Meta sends this token when it verifies the webhook.",
      empty: "Leave empty to generate one.",
    },
    app_id: {
      label: "App ID",
      help: "Your app → App settings → Basic. Needed only to submit templates with an image, video or document.",
    },
    marketing_route: {
      label: "Path for marketing templates",
      help: "messages, or marketing_messages if your account uses Meta's Marketing Messages API.",
      empty: "Defaults to messages.",
    },
    coexistence: {
      label: "This number is also used in the WhatsApp Business app",
      help: "Meta limits these numbers to 20 messages per second.",
    },
    api_base: { label: "API address", help: "Only if you reach the API through your own proxy." },
    api_version: { label: "API version", help: "Like v25.0. Only to stay on an older version." },
  },
  waha: {
    base_url: { label: "Server address", help: "The public URL of your WAHA server, like https://waha.example.com." },
    session: {
      label: "Session",
      help: "WAHA's dashboard → Sessions. The free edition has one session, called default.",
    },
    api_key: { label: "API key", help: "The WAHA_API_KEY of your server." },
    webhook_hmac_key: {
      label: "Webhook HMAC key",
      help: "WAHA signs its webhooks with this key.",
      empty: "Leave empty to generate one for WAHA's webhook settings.",
    },
  },
};

export const settingLabel = (provider: Provider, name: string): string =>
  Object.entries(settingTexts[provider]).find(([known]) => known === name)?.[1].label ?? name;

interface ConfigFieldsProps {
  provider: Provider;
  /**
   * The stored settings, in which secrets are masked. If the user leaves the field of a secret empty, the
   * stored secret stays.
   */
  stored?: Record<string, string | boolean>;
}

const yesOrNo = [
  { value: "false", label: "No" },
  { value: "true", label: "Yes" },
];

export const ConfigFields: FC<ConfigFieldsProps> = ({ provider, stored }) => {
  const { config, secrets, flags } = providers[provider];
  const missed = new Set(config.safeParse({}).error?.issues.map(({ path }) => path.join(".")));
  const isFlag = (name: string) => flags.some((flag) => flag === name);
  const isSecret = (name: string) => secrets.some((secret) => secret === name);
  return (
    <>
      {Object.entries(settingTexts[provider]).map(([name, { label, help, empty = "" }]) => {
        const value = stored?.[name]?.toString();
        const field = { name: `config.${name}`, label, help: `${help} ${empty}`.trim() };
        if (isFlag(name)) return <SelectField {...field} value={value ?? "false"} options={yesOrNo} />;
        if (!isSecret(name)) return <TextField {...field} value={value} required={missed.has(name)} />;
        return value === undefined ? (
          <TextField {...field} type="password" required={missed.has(name)} />
        ) : (
          <TextField {...field} type="password" help={`Stored: ${value}. Leave empty to keep it. ${help}`} />
        );
      })}
    </>
  );
};

const tones = { active: "good", disconnected: "warning", error: "bad" } satisfies Record<Connection["status"], Tone>;

export const ConnectionStatusBadge: FC<{ status: Connection["status"] }> = ({ status }) => (
  <Badge tone={tones[status]}>{toLabel(status)}</Badge>
);

const flags = new Set<string>(Object.values(providers).flatMap((provider) => provider.flags));

/** Converts the settings that are booleans, because a form submits every value as text. */
export const typedSettings = z
  .record(z.string(), z.unknown())
  .transform((sent) =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, flags.has(name) ? value === "true" : value])),
  );
