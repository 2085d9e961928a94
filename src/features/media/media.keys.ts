/** The bucket key of a file. */
export const mediaKey = (workspaceId: string, mediaId: string): string => `media/${workspaceId}/${mediaId}`;
