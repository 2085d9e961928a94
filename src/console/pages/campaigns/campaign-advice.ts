// Advice for each reason for which a message was not sent or delivered. Pure.

const fixConnection = "Test the connection under Settings, Connections, and fix it there.";
const fixTemplate = "Look at the template's status and change it with the provider.";

const advice: ReadonlyMap<string, string> = new Map([
  ["unsubscribed", "Nothing: they asked for no more messages."],
  ["marketing_opt_out", "Nothing: they turned marketing off. Utility templates still reach them."],
  ["archived", "Restore the contacts that should hear from you."],
  ["missing_variable", "Fill in the value of these contacts, or give the variable a fallback, like {{name|there}}."],
  ["too_long", "Shorten the template or its values."],
  ["expired", "Give the next campaign more time before it stops."],
  ["cancelled", "To write to them after all, download them as CSV, tag them, and send a campaign to that tag."],
  ["duplicate", "Nothing: the person got the message once."],
  ["invalid_recipient", "Check the numbers: they have no WhatsApp, or are written wrong."],
  ["undeliverable", "Mostly their phone is off, or they blocked you. Try to reach them another way."],
  ["frequency_capped", "Wait a day or more: WhatsApp limits how many marketing messages a person gets."],
  ["window_closed", "Write to them with an approved template."],
  ["template_rejected", fixTemplate],
  ["template_not_approved", fixTemplate],
  ["rate_limited", "Wait a day, and send to people who expect it."],
  ["account_blocked", "Ask the provider why it has blocked the account."],
  [
    "provider_unreachable",
    "Nothing reached them. Download the failed recipients as CSV, tag them, and send a campaign to that tag.",
  ],
  ["provider_rejected", fixConnection],
  ["unreachable", "Add a phone number to these contacts."],
  ["media_invalid", "Upload the file again, or choose another one."],
  ["unsupported_message", "Choose a template that this connection can send."],
]);

export const adviceFor = (reason: string): string => advice.get(reason) ?? "Look at the recipients below for details.";
