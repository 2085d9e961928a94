// Templates submitted to the sandbox. The sandbox does not store them: Tidings does, and the sandbox's list is partial.
import type { Channel } from "../channel.ts";
import type { TemplateRef, ReviewIo } from "../templates/channel-templates.ts";

/** How long a review takes. */
const REVIEW_MS = 3000;

/** Templates with this in their name are rejected. */
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
      reason: isRefused ? `The sandbox refuses templates with "${REFUSED_NAME}" in their name.` : null,
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
