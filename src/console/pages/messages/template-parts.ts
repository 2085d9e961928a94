// The parts of a provider's template, as pages show and edit them. Parts of kinds that are not known are left out.
import * as z from "zod";

const format = z.enum(["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION"]);

const button = z.object({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  phone_number: z.string().optional(),
  example: z.unknown().optional(),
});

const header = z.object({ type: z.literal("HEADER"), format, text: z.string().optional() });
const body = z.object({ type: z.literal("BODY"), text: z.string().optional() });
const footer = z.object({ type: z.literal("FOOTER"), text: z.string().optional() });
const buttons = z.object({ type: z.literal("BUTTONS"), buttons: z.array(z.unknown()) });
const carousel = z.object({
  type: z.literal("CAROUSEL"),
  cards: z.array(z.object({ components: z.array(z.unknown()) })),
});

export type HeaderFormat = z.infer<typeof format>;
export type ShownButton = z.infer<typeof button>;

export interface ShownCard {
  header: { format: HeaderFormat; text: string } | null;
  body: string;
  buttons: ShownButton[];
}

export interface ShownTemplate extends ShownCard {
  footer: string;
  cards: ShownCard[];
}

const upperCased = (component: unknown): unknown => {
  const kind = z.looseObject({ type: z.string(), format: z.string().optional() }).safeParse(component).data;
  if (kind === undefined) return component;
  return {
    ...kind,
    type: kind.type.toUpperCase(),
    ...(kind.format !== undefined && { format: kind.format.toUpperCase() }),
  };
};

function findPart<T extends z.ZodType>(components: readonly unknown[], shape: T): z.output<T> | undefined {
  for (const component of components) {
    const { data } = shape.safeParse(upperCased(component));
    if (data !== undefined) return data;
  }
  return undefined;
}

const readCard = (components: readonly unknown[]): ShownCard => {
  const top = findPart(components, header);
  return {
    header: top === undefined ? null : { format: top.format, text: top.text ?? "" },
    body: findPart(components, body)?.text ?? "",
    buttons: (findPart(components, buttons)?.buttons ?? []).flatMap((raw) => button.safeParse(raw).data ?? []),
  };
};

/** Reads a template's components, which are JSON of the provider's. */
export const readTemplateParts = (components: readonly unknown[]): ShownTemplate => ({
  ...readCard(components),
  footer: findPart(components, footer)?.text ?? "",
  cards: (findPart(components, carousel)?.cards ?? []).map((card) => readCard(card.components)),
});

const otherButtons: Record<string, string> = {
  COPY_CODE: "Copy offer code",
  OTP: "Copy code",
  FLOW: "Open the form",
  VOICE_CALL: "Call on WhatsApp",
  CATALOG: "View catalog",
  MPM: "View items",
  SPM: "View",
  REQUEST_CONTACT_INFO: "Share contact info",
};

/** The words on a button. */
export const buttonText = ({ type, text }: ShownButton): string =>
  text ?? otherButtons[type.toUpperCase()] ?? type.toLowerCase().replaceAll("_", " ");
