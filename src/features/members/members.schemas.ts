import * as z from "zod";
import { cursorParam, emailAddress, iso, limitParam, text, timestamp } from "../../http/fields.ts";
import { roles } from "../../shared/actor.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { workspaceRef } from "../../shared/workspace.ts";

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 128;
export const SESSION_MS = 7 * DAY_MS;
export const DEVICE_MS = 180 * DAY_MS;

const role = z.enum(roles);

/** Whoever signs in with it may write it in any case. */
const email = emailAddress().transform((value) => value.toLowerCase());

/** Kept exactly as typed. */
const newPassword = z
  .string()
  .min(MIN_PASSWORD, `At least ${MIN_PASSWORD} characters.`)
  .max(MAX_PASSWORD, `At most ${MAX_PASSWORD} characters.`);

const knownPassword = z.string().min(1, "Type your password.").max(1000);

export const credentials = z.strictObject({ email: text(254), password: knownPassword });

/** The secret of a link, also when the whole link was pasted. */
const linkSecret = z
  .string()
  .trim()
  .min(1, "Paste the link.")
  .max(2000)
  .transform((link) => link.slice(Math.max(link.lastIndexOf("#"), link.lastIndexOf("/")) + 1));

export const sentLink = z.strictObject({ secret: linkSecret });

/** Of somebody who sets their first password. */
export const newcomer = z.strictObject({ secret: linkSecret, name: text(200), password: newPassword });

export const linkAndPassword = z.strictObject({ secret: linkSecret, password: knownPassword });

const repeatedPassword = { new_password: newPassword, repeated: z.string() };

const isRepeated = ({ new_password, repeated }: { new_password: string; repeated: string }) =>
  new_password === repeated;
const notRepeated = { path: ["repeated"], message: "This is not the same as the new password." };

export const passwordChange = z
  .strictObject({ current_password: knownPassword, ...repeatedPassword })
  .refine(isRepeated, notRepeated);

export const passwordReset = z
  .strictObject({ secret: linkSecret, ...repeatedPassword })
  .refine(isRepeated, notRepeated);

export const inviteBody = z.strictObject({ email, role });

export const changeMemberBody = z.strictObject({ role });

export const listMembersQuery = z.strictObject({ limit: limitParam(100), cursor: cursorParam(z.tuple([z.string()])) });

/** A member as the repository reads it. */
export const memberRecord = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  email_verified: z.number(),
  created_at: z.number(),
});

export type MemberRecord = z.infer<typeof memberRecord>;

export const memberView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role,
    is_confirmed: z.boolean().meta({ description: "The operator has confirmed that this is the person of the email." }),
    created_at: timestamp,
  })
  .meta({ id: "Member" });

export const presentMember = ({
  user_id,
  email_verified,
  created_at,
  ...rest
}: MemberRecord): z.infer<typeof memberView> => ({
  id: user_id,
  ...rest,
  is_confirmed: email_verified === 1,
  created_at: iso(created_at),
});

/** An invitation as the repository reads it. */
export const invitationRecord = z.object({
  id: z.string(),
  email: z.string(),
  role,
  expires_at: z.number(),
  created_at: z.number(),
});

export type InvitationRecord = z.infer<typeof invitationRecord>;

export const invitationView = z
  .strictObject({ id: z.string(), email: z.string(), role, expires_at: timestamp, created_at: timestamp })
  .meta({ id: "Invitation" });

export const presentInvitation = (record: InvitationRecord): z.infer<typeof invitationView> => ({
  ...record,
  expires_at: iso(record.expires_at),
  created_at: iso(record.created_at),
});

/** Whoever acts in the console, and where they may. */
export interface Session {
  token: string;
  user: { id: string; name: string; email: string };
  memberships: Membership[];
}

export const membership = workspaceRef.extend({ name: z.string(), role });

/** A workspace with what the user is in it. */
export type Membership = z.infer<typeof membership>;
