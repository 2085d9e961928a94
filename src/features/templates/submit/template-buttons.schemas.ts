// Meta's format and rules: developers.facebook.com/documentation/business-messaging/whatsapp/templates/components
import * as z from "zod";
import { documentedChoices, oneOf } from "../../../http/request/choices.ts";
import { boundedText, verbatim, webUrl } from "../../../http/fields.ts";
import type { Fault } from "../../../shared/errors.ts";

const label = boundedText(25);

const webAddress = webUrl("https://example.com/orders/{{1}}").meta({ description: "Can end with the variable {{1}}." });

export const templateButton = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("QUICK_REPLY"), text: label }).meta({ id: "TemplateQuickReplyButton" }),
      z
        .strictObject({
          type: z.literal("URL"),
          text: label,
          url: webAddress,
          example: z.array(verbatim(2000)).length(1).optional().meta({
            description:
              "Required if the address has a variable: an example value, or the address with an example value.",
          }),
        })
        .meta({ id: "TemplateUrlButton" }),
      z
        .strictObject({
          type: z.literal("PHONE_NUMBER"),
          text: label,
          phone_number: z.string().regex(/^\+?[\d ().-]{4,20}$/, "Must be a phone number of up to 20 characters."),
        })
        .meta({ id: "TemplatePhoneButton" }),
      z.strictObject({ type: z.literal("COPY_CODE"), example: boundedText(15) }).meta({ id: "TemplateCopyCodeButton" }),
      z
        .strictObject({
          type: z.literal("FLOW"),
          text: label,
          flow_id: boundedText(100).optional(),
          flow_name: boundedText(200).optional(),
          flow_json: verbatim(100_000).optional(),
          flow_action: z.enum(["navigate", "data_exchange"]).optional(),
          navigate_screen: boundedText(200).optional(),
          icon: z.enum(["DEFAULT", "DOCUMENT", "PROMOTION", "REVIEW"]).optional(),
        })
        .meta({
          id: "TemplateFlowButton",
          ...documentedChoices(oneOf(["flow_id", "flow_name", "flow_json"])),
        }),
      z
        .strictObject({
          type: z.literal("OTP"),
          otp_type: z.enum(["COPY_CODE", "ONE_TAP", "ZERO_TAP"]),
          text: label.optional(),
          autofill_text: label.optional(),
          zero_tap_terms_accepted: z.boolean().optional(),
          supported_apps: z
            .array(z.strictObject({ package_name: boundedText(224), signature_hash: boundedText(11) }))
            .min(1)
            .max(5)
            .optional(),
        })
        .meta({ id: "TemplateOtpButton" }),
      z
        .strictObject({
          type: z.literal("REQUEST_CONTACT_INFO"),
          text: boundedText(60)
            .optional()
            .meta({ description: "WhatsApp shows its own text, in the template's language." }),
        })
        .meta({ id: "TemplateContactRequestButton" }),
    ],
    "Must be one of QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, FLOW, OTP, REQUEST_CONTACT_INFO.",
  )
  .meta({ id: "TemplateButton" });

type SentButton = z.output<typeof templateButton>;

const fault = (path: string, code: string, message: string): Fault => ({ path, code, message });

/**
 * How many buttons of a type a template can have. Quick replies have no limit of their own, only the limit of ten
 * buttons in total.
 */
const MAX_OF_BUTTON: Partial<Record<SentButton["type"], number>> = {
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
  REQUEST_CONTACT_INFO: 1,
};

function findUrlFaults({ url, example }: Extract<SentButton, { type: "URL" }>, path: string): Fault[] {
  const hasVariable = url.includes("{{") || url.includes("}}");
  if (!hasVariable)
    return example === undefined
      ? []
      : [fault(`${path}.example`, "unknown_field", "The address has no variable, so it has no example.")];
  if (!/^[^{}]*\{\{1\}\}$/.test(url))
    return [fault(`${path}.url`, "invalid_variable", "An address can have one variable, {{1}}, at its end.")];
  return example === undefined
    ? [fault(`${path}.example`, "required", "This field is required, because the address has a variable.")]
    : [];
}

function findButtonFaults(button: SentButton, path: string): Fault[] {
  switch (button.type) {
    case "URL":
      return findUrlFaults(button, path);
    case "FLOW": {
      const sent = [button.flow_id, button.flow_name, button.flow_json].filter((value) => value !== undefined);
      if (sent.length === 1) return [];
      const code = sent.length === 0 ? "required" : "invalid_value";
      return [fault(`${path}.flow_id`, code, "Send exactly one of flow_id, flow_name, flow_json.")];
    }
    case "OTP": {
      const { otp_type: kind, supported_apps: apps, zero_tap_terms_accepted: areAccepted } = button;
      const message = "This field is required: list the apps that receive the code.";
      return [
        ...(kind !== "COPY_CODE" && apps === undefined ? [fault(`${path}.supported_apps`, "required", message)] : []),
        ...(kind === "ZERO_TAP" && areAccepted !== true
          ? [
              fault(
                `${path}.zero_tap_terms_accepted`,
                "required",
                "This field is required: zero-tap codes require accepted terms.",
              ),
            ]
          : []),
      ];
    }
    case "QUICK_REPLY":
    case "PHONE_NUMBER":
    case "COPY_CODE":
    case "REQUEST_CONTACT_INFO":
      return [];
  }
}

function findGroupFaults(buttons: readonly SentButton[], path: string): Fault[] {
  const changes = buttons.filter(
    ({ type }, index) => index > 0 && (type === "QUICK_REPLY") !== (buttons[index - 1]?.type === "QUICK_REPLY"),
  );
  if (changes.length < 2) return [];
  return [fault(path, "invalid_value", "Quick replies must be adjacent, before or after the other buttons.")];
}

export function findButtonsFaults(buttons: readonly SentButton[], path: string): Fault[] {
  const counts = new Map<string, number>();
  const each = buttons.flatMap((button, index) => {
    const { type } = button;
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    const max = MAX_OF_BUTTON[type] ?? buttons.length;
    const at = `${path}.${index}`;
    const tooMany =
      count > max ? [fault(`${at}.type`, "too_big", `At most ${max} buttons of type ${type} can be sent.`)] : [];
    return [...tooMany, ...findButtonFaults(button, at)];
  });
  return [...each, ...findGroupFaults(buttons, path)];
}
