import type { ProviderTemplate, TemplateRef } from "../templates/channel-templates.ts";
import type { ReviewIo, Channel } from "../channel.ts";

type Parts = Record<string, unknown>[];

const template = (
  name: string,
  [status, category]: [ProviderTemplate["status"], string],
  parameters: ProviderTemplate["parameters"],
  text: string,
  { before = [], after = [], rejectionReason }: { before?: Parts; after?: Parts; rejectionReason?: string } = {},
): ProviderTemplate => ({
  providerId: name,
  name,
  language: "en_US",
  category,
  status,
  parameters,
  components: [...before, { type: "BODY", text }, ...after],
  ...(rejectionReason !== undefined && { rejectionReason }),
});

const photo = { type: "HEADER", format: "IMAGE" };
const SHOP = "https://shop.example.com/{{1}}";

const card = (text: string) => ({
  components: [photo, { type: "BODY", text }, { type: "BUTTONS", buttons: [{ type: "URL", text: "View", url: SHOP }] }],
});

const moreAndShop = [
  { type: "QUICK_REPLY", text: "Tell me more" },
  { type: "URL", text: "Open shop", url: SHOP },
];

export const sandboxTemplates: readonly ProviderTemplate[] = [
  template("sandbox_order_update", ["APPROVED", "UTILITY"], "positional", "Your order {{1}} will arrive on {{2}}."),
  template("sandbox_welcome", ["APPROVED", "UTILITY"], "named", "Welcome, {{name}}! We are glad to have you here."),
  template("sandbox_promo", ["PENDING", "MARKETING"], "positional", "Only this week: {{1}} off everything."),
  template("sandbox_blocked", ["REJECTED", "MARKETING"], "positional", "You have won. Claim it at {{1}} now.", {
    rejectionReason: "PROMOTIONAL",
  }),
  template("sandbox_photo", ["APPROVED", "MARKETING"], "positional", "Hi {{1}}, our new collection is here.", {
    before: [photo],
    after: [
      { type: "FOOTER", text: "Reply STOP to opt out" },
      { type: "BUTTONS", buttons: moreAndShop },
    ],
  }),
  template("sandbox_carousel", ["APPROVED", "MARKETING"], "positional", "Fresh this week, {{1}}!", {
    after: [{ type: "CAROUSEL", cards: [card("Apples at {{1}} a bag"), card("Pears at {{1}} a bag")] }],
  }),
  template(
    "sandbox_login_code",
    ["APPROVED", "AUTHENTICATION"],
    "positional",
    "*{{1}}* is your verification code. For your security, do not share this code.",
    { after: [{ type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] }] },
  ),
];

const REVIEW_MS = 3000;

const REFUSED_NAME = "reject";

async function review({ providerId, name, language }: TemplateRef, io: ReviewIo) {
  const isRefused = name.includes(REFUSED_NAME);
  await io.reportReview(
    {
      type: "template",
      providerId,
      name,
      language,
      status: isRefused ? "REJECTED" : "APPROVED",
      reason: isRefused ? `The sandbox rejects templates with "${REFUSED_NAME}" in their name.` : null,
      at: io.now() + REVIEW_MS,
    },
    REVIEW_MS,
  );
  return { status: "PENDING" } as const;
}

export const templateReviews = {
  async createTemplate(_, { name, language }, io) {
    const ref = { providerId: `${name}-${language}`, name, language };
    return { providerId: ref.providerId, category: null, ...(await review(ref, io)) };
  },
  editTemplate: (_, ref, __, io) => review(ref, io),
  deleteTemplate: () => Promise.resolve(),
  uploadExample: (_, { id }) => Promise.resolve(`4::${id}`),
} satisfies Partial<Channel>;
