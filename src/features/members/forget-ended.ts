import type { BaseCtx } from "../../shared/context.ts";
import * as repository from "./forget-ended.repository.ts";

/** How long an invitation that has ended can still be seen, and its link says why it does not work. */
const INVITATIONS_KEPT_MS = 30 * 86_400_000;

export const forgetSessions = (base: BaseCtx): Promise<void> =>
  repository.deleteSessionsEnded(base.control, base.now());

export const forgetSignInAttempts = (base: BaseCtx): Promise<void> =>
  repository.deleteAttemptsEnded(base.control, base.now());

export const forgetInvitations = (base: BaseCtx): Promise<void> =>
  repository.deleteInvitationsEnded(base.control, base.now() - INVITATIONS_KEPT_MS);
