import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import type { UploadKey } from "./media.sql.ts";

/** In place of the provider's id, while the file is being uploaded. */
const UNDER_WAY = "";

const ownUpload = (ctx: Ctx, { connectionId, sha256, mimeType }: UploadKey): SQL => sql`
  connection_id = ${connectionId} AND sha256 = ${sha256} AND mime_type = ${mimeType} AND workspace_id = ${ctx.workspace.id}`;

const claimedUpload = z.object({ lapses_at: z.number() });

/** Claims the upload of a file that the provider does not have, unless another holds the claim; a row where that was done. */
export const insertUploadClaim = (ctx: Ctx, key: UploadKey, until: number): Statement<z.infer<typeof claimedUpload>> =>
  statement(
    claimedUpload,
    sql`
      INSERT INTO media_uploads (connection_id, sha256, mime_type, workspace_id, provider_media_id, lapses_at)
      VALUES (${key.connectionId}, ${key.sha256}, ${key.mimeType}, ${ctx.workspace.id}, ${UNDER_WAY}, ${until})
      ON CONFLICT (connection_id, sha256, mime_type) DO UPDATE
      SET provider_media_id = excluded.provider_media_id, lapses_at = excluded.lapses_at
      WHERE media_uploads.lapses_at <= ${ctx.now()} AND media_uploads.workspace_id = excluded.workspace_id
      RETURNING lapses_at`,
  );

export const deleteUploadClaim = (ctx: Ctx, key: UploadKey): SQL => sql`
  DELETE FROM media_uploads WHERE ${ownUpload(ctx, key)} AND provider_media_id = ${UNDER_WAY}`;
