// Meta's rules for components: developers.facebook.com/documentation/business-messaging/whatsapp/templates/components,
// …/authentication-templates, …/marketing-templates/media-card-carousel-templates
import type { Fault } from "../../../shared/errors.ts";
import { REQUIRED } from "../../../shared/faults.ts";
import type { SentComponent } from "./template-components.schemas.ts";
import { AUTHENTICATION, MARKETING } from "../model/parse-template.ts";
import { findButtonsFaults } from "./template-buttons.schemas.ts";
import {
  countVariables,
  endsInVariable,
  type ExampledText,
  findTextFaults,
  type Parameters,
  parametersOf,
} from "./variable-rules.ts";

type Component<T extends SentComponent["type"]> = Extract<SentComponent, { type: T }>;
type Part = Component<"HEADER" | "BODY" | "BUTTONS" | "FOOTER">;
type WithPath<T> = { part: T; path: string };

const MAX_CARD_BODY = 160;
const MAX_CARD_BUTTONS = 2;

const fault = (path: string, code: string, message: string): Fault => ({ path, code, message });

const CARD_BUTTONS: readonly string[] = ["QUICK_REPLY", "URL", "PHONE_NUMBER"];

function exampledText({ part, path }: WithPath<Part>): ExampledText | null {
  if (part.type === "BODY" && part.text !== undefined) {
    const examples = { list: part.example?.body_text?.[0], named: part.example?.body_text_named_params };
    return { path, text: part.text, examples, fields: { list: "body_text", named: "body_text_named_params" } };
  }
  if (part.type !== "HEADER" || part.format !== "TEXT") return null;
  const examples = { list: part.example?.header_text, named: part.example?.header_text_named_params };
  return { path, text: part.text, examples, fields: { list: "header_text", named: "header_text_named_params" } };
}

function findPartFaults(entry: WithPath<Part>, parameters: Parameters): Fault[] {
  const { part, path } = entry;
  if (part.type === "BUTTONS") return findButtonsFaults(part.buttons, `${path}.buttons`);
  const exampled = exampledText(entry);
  if (exampled === null) return [];
  const faults = findTextFaults(exampled, parameters);
  const { text } = exampled;
  if (part.type === "HEADER" && countVariables(text) > 1)
    return [...faults, fault(`${path}.text`, "invalid_variable", "A header can have only one variable.")];
  const message = "Must not begin or end with a variable.";
  return part.type === "BODY" && endsInVariable(text)
    ? [...faults, fault(`${path}.text`, "invalid_variable", message)]
    : faults;
}

const withPaths = <T extends SentComponent>(parts: readonly T[], path: string): WithPath<T>[] =>
  parts.map((part, index) => ({ part, path: `${path}.${index}` }));

const findRepeated = (parts: readonly WithPath<SentComponent>[]): Fault[] =>
  parts.flatMap(({ part: { type }, path }, index) =>
    parts.findIndex((other) => other.part.type === type) < index
      ? [fault(`${path}.type`, "repeated", `${type} can occur only once.`)]
      : [],
  );

const isPart = (entry: WithPath<SentComponent>): entry is WithPath<Part> => entry.part.type !== "CAROUSEL";

const shapeOfCard = (parts: readonly WithPath<Part>[]): string =>
  parts
    .map(({ part }) =>
      part.type === "HEADER"
        ? part.format
        : part.type === "BUTTONS"
          ? part.buttons.map(({ type }) => type).join("+")
          : part.type,
    )
    .toSorted()
    .join();

function findCardFaults(parts: readonly WithPath<Part>[], path: string): Fault[] {
  const header = parts.find(({ part }) => part.type === "HEADER");
  const hasFile = header?.part.type === "HEADER" && (header.part.format === "IMAGE" || header.part.format === "VIDEO");
  return [
    ...findRepeated(parts),
    ...(hasFile
      ? []
      : [
          fault(
            header === undefined ? `${path}.components` : `${header.path}.format`,
            header === undefined ? "required" : "invalid_value",
            "A card requires a HEADER with an IMAGE or a VIDEO.",
          ),
        ]),
    ...parts.flatMap(({ part, path: at }) => {
      if (part.type === "BODY")
        return Array.from(part.text ?? "").length > MAX_CARD_BODY
          ? [fault(`${at}.text`, "too_big", `Must have at most ${MAX_CARD_BODY} characters in a card.`)]
          : [];
      if (part.type !== "BUTTONS") return [];
      const odd = part.buttons.findIndex(({ type }) => !CARD_BUTTONS.includes(type));
      return [
        ...(part.buttons.length > MAX_CARD_BUTTONS
          ? [fault(`${at}.buttons`, "too_big", `Must have at most ${MAX_CARD_BUTTONS} buttons in a card.`)]
          : []),
        ...(odd < 0
          ? []
          : [fault(`${at}.buttons.${odd}.type`, "invalid_value", `Must be one of ${CARD_BUTTONS.join(", ")}.`)]),
      ];
    }),
  ];
}

function findTextFieldFaults({ part, path }: WithPath<Part>, isOneTime: boolean): Fault[] {
  if (part.type !== "BODY" && part.type !== "FOOTER") return [];
  const field = part.type === "BODY" ? "add_security_recommendation" : "code_expiration_minutes";
  const own = part.type === "BODY" ? part.add_security_recommendation : part.code_expiration_minutes;
  if (isOneTime)
    return part.text === undefined
      ? []
      : [fault(`${path}.text`, "unknown_field", "The provider sets the text of one-time passwords.")];
  return [
    ...(part.text === undefined ? [fault(`${path}.text`, "required", REQUIRED)] : []),
    ...(own === undefined
      ? []
      : [fault(`${path}.${field}`, "unknown_field", "This field requires category AUTHENTICATION.")]),
  ];
}

function findOneTimeFaults(parts: readonly WithPath<SentComponent>[]): Fault[] {
  const buttons = parts.find(({ part }) => part.type === "BUTTONS");
  const isOtp = buttons?.part.type === "BUTTONS" && buttons.part.buttons.every(({ type }) => type === "OTP");
  const message = "One-time passwords require exactly one button, of type OTP.";
  const odd = parts.filter(({ part }) => part.type === "HEADER" || part.type === "CAROUSEL");
  return [
    ...odd.map(({ path }) =>
      fault(`${path}.type`, "invalid_value", "AUTHENTICATION supports only BODY, FOOTER and BUTTONS."),
    ),
    ...(buttons === undefined ? [fault("components", "required", message)] : []),
    ...(buttons !== undefined && !(isOtp && buttons.part.type === "BUTTONS" && buttons.part.buttons.length === 1)
      ? [fault(`${buttons.path}.buttons`, "invalid_value", message)]
      : []),
  ];
}

function findOtherFaults(parts: readonly WithPath<SentComponent>[], category: string | null): Fault[] {
  const carousel = parts.find(({ part }) => part.type === "CAROUSEL");
  const beside = carousel && parts.filter(({ part }) => part.type !== "CAROUSEL" && part.type !== "BODY");
  const otp = parts.flatMap(({ part, path }) =>
    part.type === "BUTTONS"
      ? part.buttons.flatMap(({ type }, index) => (type === "OTP" ? [`${path}.buttons.${index}.type`] : []))
      : [],
  );
  return [
    ...otp.map((path) => fault(path, "invalid_value", "OTP requires category AUTHENTICATION.")),
    ...(carousel !== undefined && category !== MARKETING
      ? [fault(`${carousel.path}.type`, "invalid_value", "A carousel requires category MARKETING.")]
      : []),
    ...(beside ?? []).map(({ path }) =>
      fault(`${path}.type`, "invalid_value", "A carousel can be combined only with a BODY."),
    ),
  ];
}

const textsIn = (components: readonly SentComponent[]): string[] =>
  components.flatMap((component) => {
    if (component.type === "CAROUSEL") return component.cards.flatMap((card) => textsIn(card.components));
    if (component.type === "BUTTONS") return [];
    const text = component.type === "HEADER" && component.format !== "TEXT" ? undefined : component.text;
    return text === undefined || component.type === "FOOTER" ? [] : [text];
  });

export const parametersIn = (components: readonly SentComponent[]): Parameters => parametersOf(textsIn(components));

export function findComponentFaults(category: string | null, components: readonly SentComponent[]): Fault[] {
  const parameters = parametersIn(components);
  const isOneTime = category === AUTHENTICATION;
  const all = withPaths(components, "components");
  const findIn = (parts: readonly WithPath<Part>[]) =>
    parts.flatMap((part) => [...findTextFieldFaults(part, isOneTime), ...findPartFaults(part, parameters)]);
  const cards = all.flatMap(({ part, path }) =>
    part.type === "CAROUSEL"
      ? part.cards.map((card, index) => ({
          path: `${path}.cards.${index}`,
          parts: withPaths(card.components, `${path}.cards.${index}.components`),
        }))
      : [],
  );
  const [firstCard] = cards;
  const unlike = cards.filter(({ parts }) => firstCard && shapeOfCard(parts) !== shapeOfCard(firstCard.parts));
  const footers = all.flatMap(({ part, path }) =>
    part.type === "FOOTER" && /\{\{|\}\}/.test(part.text ?? "") ? [`${path}.text`] : [],
  );
  const hasBody = components.some(({ type }) => type === "BODY");
  return [
    ...(hasBody ? [] : [fault("components", "required", "A template requires a component of type BODY.")]),
    ...findRepeated(all),
    ...(isOneTime ? findOneTimeFaults(all) : findOtherFaults(all, category)),
    ...findIn(all.filter(isPart)),
    ...footers.map((path) => fault(path, "invalid_variable", "A footer cannot have variables.")),
    ...cards.flatMap(({ parts, path }) => [...findCardFaults(parts, path), ...findIn(parts)]),
    ...unlike.map(({ path }) =>
      fault(path, "invalid_value", "All cards must have the same components, header format and button types."),
    ),
  ];
}
