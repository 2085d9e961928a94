// The templates that every official sandbox account has, in the form of the WhatsApp Business Platform.
import type { ProviderTemplate, TemplateStatus } from "../channel-templates.ts";

const template = (
  name: string,
  status: TemplateStatus,
  category: string,
  parameters: ProviderTemplate["parameters"],
  text: string,
): ProviderTemplate => ({
  providerId: name,
  name,
  language: "en_US",
  category,
  status,
  parameters,
  components: [{ type: "BODY", text }],
});

export const sandboxTemplates: readonly ProviderTemplate[] = [
  template("sandbox_order_update", "APPROVED", "UTILITY", "positional", "Your order {{1}} will arrive on {{2}}."),
  template("sandbox_welcome", "APPROVED", "UTILITY", "named", "Welcome, {{name}}! We are glad to have you here."),
  template("sandbox_promo", "PENDING", "MARKETING", "positional", "Only this week: {{1}} off everything."),
  template("sandbox_blocked", "REJECTED", "MARKETING", "positional", "You have won. Claim it at {{1}} now."),
];
