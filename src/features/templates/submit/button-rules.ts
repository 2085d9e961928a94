// Meta's rules for the buttons of a submitted template. Pure. Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/templates/components
import type { Fault } from "../../../shared/errors.ts";
import type { SentButton } from "./template-components.schemas.ts";

const fault = (path: string, code: string, message: string): Fault => ({ path, code, message });

/** Maxima per template. Quick replies may use the rest of ten buttons. */
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

/** Quick replies are adjacent, before or after all other buttons. */
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
    const tooMany = count > max ? [fault(`${at}.type`, "too_big", `At most ${max} of type ${type} can be sent.`)] : [];
    return [...tooMany, ...findButtonFaults(button, at)];
  });
  return [...each, ...findGroupFaults(buttons, path)];
}
