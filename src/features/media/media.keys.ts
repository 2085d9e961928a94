/** The place of a file's bytes in the bucket. */
export const mediaKey = (workspaceId: string, mediaId: string): string => `media/${workspaceId}/${mediaId}`;
