const icon = (mark: string) =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<path fill="#0b5fb8" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H14l-7 5v-5H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/>' +
  '<path stroke="#fff" stroke-width="3" stroke-linecap="round" d="M9 11h14M9 17h8"/>' +
  `${mark}</svg>`;

const UNREAD_MARK = '<circle cx="25" cy="7" r="7" fill="#d22f2f"/>';

export const ICON_PATH = "/favicon.ico";

export const iconResponse = (hasUnread: boolean): Response =>
  new Response(icon(hasUnread ? UNREAD_MARK : ""), {
    headers: {
      "Content-Type": "image/svg+xml",
      "Cache-Control": "public, max-age=86400",
      "Content-Security-Policy": "default-src 'none'",
    },
  });
