// The languages that templates may be in.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/templates/supported-languages
import type { Option } from "../../kit/form-fields.tsx";

const CODES =
  "af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr ka de el gu ha he hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv ta te th tr uk ur uz vi zu";

/** Languages by name; one that a template already has is among them. */
export function languageOptions(): Option[] {
  const names = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard" });
  return CODES.split(" ")
    .map((code) => ({ value: code, label: `${names.of(code.replace("_", "-")) ?? code} (${code})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, "en"));
}
