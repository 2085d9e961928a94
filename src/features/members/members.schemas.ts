import * as z from "zod";
import { idCursorParam, emailAddress, limitParam, boundedText, timestamp } from "../../http/fields.ts";
import { type Role, roles } from "../../shared/access/actor.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { workspaceRef } from "../../shared/access/workspace.ts";
import { iso } from "../../shared/time/iso-times.ts";

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 128;
export const SESSION_MS = 7 * DAY_MS;
export const DEVICE_MS = 180 * DAY_MS;

const role = z.enum(roles).meta({
  id: "Role",
  description: "Each role includes the permissions of the roles before it: `agent`, `admin`, `owner`.",
});

const email = emailAddress().transform((value) => value.toLowerCase());

/** Not trimmed: a password is used exactly as typed. */
const newPassword = z
  .string()
  .min(MIN_PASSWORD, `Must have at least ${MIN_PASSWORD} characters.`)
  .max(MAX_PASSWORD, `Must have at most ${MAX_PASSWORD} characters.`);

const currentPassword = z.string().min(1, "Type your password.").max(1000);

export const credentials = z.strictObject({ email: boundedText(254), password: currentPassword });

const linkSecret = z
  .string()
  .trim()
  .min(1, "Paste the link.")
  .max(2000)
  .transform((link) => link.slice(Math.max(link.lastIndexOf("#"), link.lastIndexOf("/")) + 1));

export const sentLink = z.strictObject({ secret: linkSecret });

export const nameChange = z.strictObject({ name: boundedText(200) });

export const newcomer = z.strictObject({ secret: linkSecret, name: boundedText(200), password: newPassword });

export const linkAndPassword = z.strictObject({ secret: linkSecret, password: currentPassword });

const repeatedPassword = { new_password: newPassword, repeated: z.string() };

const isRepeated = ({ new_password, repeated }: { new_password: string; repeated: string }) =>
  new_password === repeated;
const notRepeated = { path: ["repeated"], message: "The passwords do not match." };

export const passwordChange = z
  .strictObject({ current_password: currentPassword, ...repeatedPassword })
  .refine(isRepeated, notRepeated);

export const passwordReset = z
  .strictObject({ secret: linkSecret, ...repeatedPassword })
  .refine(isRepeated, notRepeated);

export const inviteBody = z.strictObject({ email, role });

export const changeMemberBody = z.strictObject({ role });

export const listInvitationsQuery = z.strictObject({ limit: limitParam(100), cursor: idCursorParam("inv") });

export const listMembersQuery = z.strictObject({ limit: limitParam(100), cursor: idCursorParam("usr") });

export interface MemberRecord {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  is_confirmed: boolean;
  created_at: number;
}

export const memberView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role,
    is_confirmed: z
      .boolean()
      .meta({ description: "True if the operator confirmed that the email belongs to this person." }),
    created_at: timestamp,
  })
  .meta({ id: "Member" });

export const presentMember = ({ user_id, created_at, ...rest }: MemberRecord): z.infer<typeof memberView> => ({
  id: user_id,
  ...rest,
  created_at: iso(created_at),
});

export const memberSummary = z.strictObject({ id: z.string(), name: z.string(), role }).meta({ id: "MemberSummary" });

export const presentMemberSummary = ({
  user_id: id,
  name,
  role: held,
}: MemberRecord): z.infer<typeof memberSummary> => ({
  id,
  name,
  role: held,
});

export interface InvitationRecord {
  id: string;
  email: string;
  role: Role;
  expires_at: number;
  created_at: number;
}

export const invitationView = z
  .strictObject({ id: z.string(), email: z.string(), role, expires_at: timestamp, created_at: timestamp })
  .meta({ id: "Invitation" });

export const presentInvitation = (record: InvitationRecord): z.infer<typeof invitationView> => ({
  ...record,
  expires_at: iso(record.expires_at),
  created_at: iso(record.created_at),
});

export interface Session {
  id: string;
  token: string;
  /** In ms since the epoch. */
  endsAt: number;
  user: { id: string; name: string; email: string };
  memberships: Membership[];
}

export const membership = workspaceRef.extend({
  name: z.string(),
  role,
  time_zone: z.string(),
  steps_hidden_at: z.number().nullable(),
});

export type Membership = z.infer<typeof membership>;
