import { betterAuth } from "better-auth/minimal";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { bearer } from "better-auth/plugins/bearer";
import { accounts, sessions, users } from "../../../db/schema/index.ts";
import type { BaseCtx } from "../../../shared/context.ts";
import { hashPassword, verifyPassword } from "../members.passwords.ts";
import { MAX_PASSWORD, MIN_PASSWORD, SESSION_MS } from "../members.schemas.ts";
import { identitySecret } from "../members.tokens.ts";

/**
 * Only sign-in and password changes load better-auth, because it is large. Our own code looks up users by email,
 * because several users can have the same email.
 */
export async function openIdentity(ctx: BaseCtx) {
  return betterAuth({
    appName: "Tidings",
    baseURL: "http://localhost", // required, but we serve no route of better-auth
    secret: await identitySecret(ctx.keySecret),
    database: drizzleAdapter(ctx.control, {
      provider: "sqlite",
      usePlural: true,
      schema: { users, sessions, accounts },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD,
      maxPasswordLength: MAX_PASSWORD,
      password: {
        hash: (password) => hashPassword(password, ctx),
        verify: (attempt) => verifyPassword(attempt, ctx),
      },
    },
    session: { expiresIn: SESSION_MS / 1000, disableSessionRefresh: true },
    plugins: [bearer()],
    advanced: { database: { validateSchema: false } }, // the validation requires tables for sign-in methods that we do not support
    rateLimit: { enabled: false }, // sign-in.ts counts attempts
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}

export const bearerHeaders = (token: string) => new Headers({ Authorization: `Bearer ${token}` });
