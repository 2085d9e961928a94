import type { Ctx } from "../../../shared/context.ts";
import { actorKey } from "../../../shared/access/actor.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/text/json.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { isSigned, signText } from "../../../shared/security/signatures.ts";
import type { TemplateRecord } from "../../templates/templates.schemas.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import type { AudienceCount } from "./find-audience.ts";
import type { CampaignPlan } from "./plan-campaign.ts";

/**
 * Console users confirm the number of recipients that they saw and its fingerprint. API clients confirm the token of a
 * preview.
 */
export type Confirmation = { recipients: number; fingerprint: string } | { token: string };

type ExpectedAudience = { recipients: number } | { count: string };

const SIGNATURE_PURPOSE = "audience-token";
const TOKEN_MS = 10 * MINUTE_MS;
const TOKEN_FIELD = "audience_token";

/**
 * Contacts change all the time. The number of recipients may therefore differ from the confirmed number by this share.
 */
const TOLERANCE = 0.01;

const countText = ({ reachable, excluded }: AudienceCount): string => [reachable, ...Object.values(excluded)].join("-");

interface PreviewedCampaign {
  request: StartCampaign;
  template: Pick<TemplateRecord, "body" | "components">;
}

type PlannedCampaign = Pick<CampaignPlan, "template" | "connectionId" | "resolved">;

export const fingerprintCampaign = (
  request: StartCampaign,
  { template: { body, components }, connectionId, resolved: { filters } }: PlannedCampaign,
) => sha256Hex(canonicalJson({ request, body, components, connectionId, filters }));

export async function checkFingerprint(request: StartCampaign, plan: PlannedCampaign, seen: string): Promise<void> {
  if ((await fingerprintCampaign(request, plan)) === seen) return;
  throw new AppError("conflict", "The campaign, its template or its segment has changed since you opened it.");
}

function signedText(ctx: Ctx, { request, template }: PreviewedCampaign, until: string, count: string): string {
  const { body, components } = template;
  const parts = [ctx.workspace.id, actorKey(ctx.actor), until, count];
  return JSON.stringify([...parts, canonicalJson(request), canonicalJson({ body, components })]);
}

/**
 * Returns `<ms since the epoch>.<count>.<signature>`. The token is valid for 10 minutes, and only for this request and
 * API key.
 */
export async function signAudience(ctx: Ctx, previewed: PreviewedCampaign, counted: AudienceCount): Promise<string> {
  const until = String(ctx.now() + TOKEN_MS);
  const count = countText(counted);
  const signature = await signText(ctx.keySecret, SIGNATURE_PURPOSE, signedText(ctx, previewed, until, count));
  return [until, count, signature].join(".");
}

async function readToken(ctx: Ctx, previewed: PreviewedCampaign, token: string) {
  const [until = "", count = "", signature = "", ...rest] = token.split(".");
  const signed = signedText(ctx, previewed, until, count);
  const isOurs = rest.length === 0 && (await isSigned(ctx.keySecret, SIGNATURE_PURPOSE, signed, signature));
  return isOurs ? { until: Number(until), count } : null;
}

const recipientsIn = (count: string): number => Number(count.split("-", 1)[0]);

/** Accepts an expired token, because a client that repeats a start sends the token again. */
export async function isTokenOf(
  ctx: Ctx,
  previewed: PreviewedCampaign,
  { token, recipients }: { token: string; recipients: number },
) {
  const read = await readToken(ctx, previewed, token);
  return read !== null && recipientsIn(read.count) === recipients;
}

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
