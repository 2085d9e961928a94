import type { Ctx } from "../../../shared/context.ts";
import { actorKey } from "../../../shared/actor.ts";
import { MINUTE_MS } from "../../../shared/durations.ts";
import { AppError, invalid } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/json.ts";
import { hasOwn } from "../../../shared/own.ts";
import { isSigned, signText } from "../../../shared/signatures.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import type { AudienceCount } from "./find-audience.ts";

/** The audience that was agreed to: by a person, who saw its number, or by software, with the token of a preview. */
export type Confirmation = { recipients: number } | { token: string };

/** A function that throws `conflict` where an audience is not the one that was agreed to. */
type Agreement = (counted: AudienceCount) => void;

const USE = "audience-token";
const TOKEN_MS = 10 * MINUTE_MS;
const PATH = "audience_token";

/** Contacts come and go all the time: a hundredth more or less than a person agreed to is no change. */
const TOLERANCE = 0.01;

/** A count as tokens hold it: the number of recipients, then of those left out by reason, whose order is fixed. */
const countText = ({ reachable, excluded }: AudienceCount): string => [reachable, ...Object.values(excluded)].join("-");

const signedText = (ctx: Ctx, request: StartCampaign, until: string, count: string): string =>
  JSON.stringify([ctx.workspace.id, actorKey(ctx.actor), until, count, canonicalJson(request)]);

/** The token of a preview, `<ms since the epoch>.<count>.<signature>`: good for this request, by this key, for 10 minutes. */
export async function signAudience(ctx: Ctx, request: StartCampaign, counted: AudienceCount): Promise<string> {
  const [until, count] = [String(ctx.now() + TOKEN_MS), countText(counted)];
  return [until, count, await signText(ctx.keySecret, USE, signedText(ctx, request, until, count))].join(".");
}

const changed = ({ reachable, excluded }: AudienceCount, expected: string) =>
  new AppError("conflict", `The audience has changed: ${reachable} can be reached now, ${expected}.`, {
    recipient_count: reachable,
    excluded,
  });

/** Reads what was agreed to, without a trip. Throws `validation_failed` for a token that we did not make for this, or too long ago. */
export async function readConfirmation(
  ctx: Ctx,
  request: StartCampaign,
  confirmation: Confirmation,
): Promise<Agreement> {
  if (hasOwn(confirmation, "recipients")) {
    const { recipients } = confirmation;
    return (counted) => {
      if (Math.abs(counted.reachable - recipients) > recipients * TOLERANCE)
        throw changed(counted, `not ${recipients}`);
    };
  }
  const [until = "", count = "", sum = "", ...rest] = confirmation.token.split(".");
  if (rest.length > 0 || !(await isSigned(ctx.keySecret, USE, signedText(ctx, request, until, count), sum))) {
    const message = "This is not the token of a preview of this very request by this key. Preview it again.";
    throw invalid({ path: PATH, code: "invalid_token", message });
  }
  if (Number(until) <= ctx.now()) {
    throw invalid({ path: PATH, code: "expired", message: "This token is older than 10 minutes. Preview again." });
  }
  return (counted) => {
    if (countText(counted) !== count)
      throw changed(counted, `not as in the preview, which counted ${count.split("-", 1)[0]}. Preview again`);
  };
}
