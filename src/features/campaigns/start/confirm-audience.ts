import type { Ctx } from "../../../shared/context.ts";
import { actorKey } from "../../../shared/access/actor.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/text/json.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { isSigned, signText } from "../../../shared/security/signatures.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import type { TemplateRecord } from "../../templates/templates.schemas.ts";
import type { AudienceCount } from "./find-audience.ts";
import type { CampaignPlan } from "./plan-campaign.ts";

/**
 * What was agreed to: by a person, who saw the number of recipients and the campaign of this fingerprint, or by software, with
 * the token of a preview.
 */
export type Confirmation = { recipients: number; fingerprint: string } | { token: string };

/** The number of recipients that a person saw, or the whole count in the token of a preview. */
type ExpectedAudience = { recipients: number } | { count: string };

const SIGNATURE_PURPOSE = "audience-token";
const TOKEN_MS = 10 * MINUTE_MS;
const TOKEN_FIELD = "audience_token";

/** Contacts come and go all the time: a hundredth more or less than a person agreed to is no change. */
const TOLERANCE = 0.01;

/** A count as tokens hold it: the number of recipients, then of those left out by reason, whose order is fixed. */
const countText = ({ reachable, excluded }: AudienceCount): string => [reachable, ...Object.values(excluded)].join("-");

/** The request, and the template as it was previewed. */
export interface PreviewedCampaign {
  request: StartCampaign;
  template: Pick<TemplateRecord, "body" | "components">;
}

type PlannedCampaign = Pick<CampaignPlan, "template" | "connectionId" | "resolved">;

/** Tells what people would get, through what, and by which conditions they are chosen: another text where any of it has changed. */
export const fingerprintCampaign = (
  request: StartCampaign,
  { template: { body, components }, connectionId, resolved: { filters } }: PlannedCampaign,
): Promise<string> => sha256Hex(canonicalJson({ request, body, components, connectionId, filters }));

/** Throws `conflict` where a campaign is not the one that a person saw. */
export async function checkFingerprint(request: StartCampaign, plan: PlannedCampaign, seen: string): Promise<void> {
  if ((await fingerprintCampaign(request, plan)) === seen) return;
  throw new AppError("conflict", "The campaign, its template or its segment has changed since you opened it.");
}

function signedText(ctx: Ctx, { request, template }: PreviewedCampaign, until: string, count: string): string {
  const { body, components } = template;
  const parts = [ctx.workspace.id, actorKey(ctx.actor), until, count];
  return JSON.stringify([...parts, canonicalJson(request), canonicalJson({ body, components })]);
}

/** The token of a preview, `<ms since the epoch>.<count>.<signature>`: good for this request, by this key, for 10 minutes. */
export async function signAudience(ctx: Ctx, previewed: PreviewedCampaign, counted: AudienceCount): Promise<string> {
  const until = String(ctx.now() + TOKEN_MS);
  const count = countText(counted);
  const signature = await signText(ctx.keySecret, SIGNATURE_PURPOSE, signedText(ctx, previewed, until, count));
  return [until, count, signature].join(".");
}

/** What a token says; null where we did not make it for this campaign. */
async function readToken(ctx: Ctx, previewed: PreviewedCampaign, token: string) {
  const [until = "", count = "", signature = "", ...rest] = token.split(".");
  const signed = signedText(ctx, previewed, until, count);
  const isOurs = rest.length === 0 && (await isSigned(ctx.keySecret, SIGNATURE_PURPOSE, signed, signature));
  return isOurs ? { until: Number(until), count } : null;
}

/** The number of recipients in a count as tokens hold it. */
const recipientsIn = (count: string): number => Number(count.split("-", 1)[0]);

/** True where a token is of a preview of this campaign with this number of recipients, however old it is. */
export async function isTokenOf(
  ctx: Ctx,
  previewed: PreviewedCampaign,
  { token, recipients }: { token: string; recipients: number },
): Promise<boolean> {
  const read = await readToken(ctx, previewed, token);
  return read !== null && recipientsIn(read.count) === recipients;
}

/** The count in a token. Throws `validation_failed` for a token that we did not make for this campaign, or too long ago. */
export async function verifyAudienceToken(ctx: Ctx, previewed: PreviewedCampaign, token: string): Promise<string> {
  const read = await readToken(ctx, previewed, token);
  if (read === null) {
    const message =
      "The token does not belong to a preview of this request by this key, or the template has changed since. Preview again.";
    throw invalid({ path: TOKEN_FIELD, code: "invalid_token", message });
  }
  if (read.until <= ctx.now()) {
    const message = "The token is older than 10 minutes. Preview again.";
    throw invalid({ path: TOKEN_FIELD, code: "expired", message });
  }
  return read.count;
}

const audienceChanged = ({ reachable, excluded }: AudienceCount, message: string) =>
  new AppError("conflict", message, { recipient_count: reachable, excluded });

/** Throws `conflict` where the audience is not the one that is expected. */
export function checkAudience(counted: AudienceCount, expected: ExpectedAudience): void {
  const { reachable } = counted;
  if (hasOwn(expected, "recipients")) {
    const { recipients } = expected;
    if (Math.abs(reachable - recipients) <= recipients * TOLERANCE) return;
    throw audienceChanged(
      counted,
      `The audience has changed: ${reachable} contacts can be reached now, not ${recipients}.`,
    );
  }
  if (countText(counted) === expected.count) return;
  const before = recipientsIn(expected.count);
  throw audienceChanged(
    counted,
    `The audience has changed since the preview, from ${before} to ${reachable} reachable contacts. See \`excluded\`, and preview again.`,
  );
}
