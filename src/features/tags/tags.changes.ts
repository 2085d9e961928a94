import { findFormConflict } from "../../shared/edit-conflicts.ts";
import { AppError } from "../../shared/errors.ts";
import type { TagRecord } from "./tags.schemas.ts";

export interface TagInput {
  name?: string | undefined;
  color?: string | undefined;
}

export const tagNameTaken = (holderId: string): AppError =>
  new AppError("conflict", "Another tag has this name.", { field: "name", tag_id: holderId });

export function changeTag(
  tag: TagRecord,
  holder: { id: string } | undefined,
  input: TagInput,
  rendered: TagInput,
): TagRecord | AppError {
  if (holder !== undefined && holder.id !== tag.id) return tagNameTaken(holder.id);
  return (
    findFormConflict(tag, input, rendered) ?? { ...tag, name: input.name ?? tag.name, color: input.color ?? tag.color }
  );
}
