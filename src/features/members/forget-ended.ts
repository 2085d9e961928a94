import type { BaseCtx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import * as repository from "./forget-ended.sql.ts";
import { KNOWN_MS } from "./members.attempts.ts";

/** So long after its end the link of an invitation or of a new password still says why it does not work. */
const LINKS_KEPT_MS = 30 * DAY_MS;

export const forgetSessions = (base: BaseCtx): Promise<void> =>
  repository.deleteSessionsEnded(base.control, base.now());

export const forgetSignInAttempts = (base: BaseCtx): Promise<void> =>
  repository.deleteAttemptsEnded(base.control, base.now());

export const forgetInvitations = (base: BaseCtx): Promise<void> =>
  repository.deleteInvitationsEnded(base.control, base.now() - LINKS_KEPT_MS);

export const forgetResetLinks = (base: BaseCtx): Promise<void> =>
  repository.deleteResetLinksEnded(base.control, base.now() - LINKS_KEPT_MS);

export const forgetNetworks = (base: BaseCtx): Promise<void> =>
  repository.deleteNetworksLastSeen(base.control, base.now() - KNOWN_MS);
