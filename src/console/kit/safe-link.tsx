// Turns only http and https addresses into links. Many addresses come from incoming messages, and a `javascript:`
// address would run in the user's session.
import type { FC, PropsWithChildren } from "hono/jsx";

export function webAddress(url: string | null | undefined): string | null {
  if (url === null || url === undefined || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

export const OutsideLink: FC<PropsWithChildren<{ href: string | null | undefined }>> = ({ href, children }) => {
  const address = webAddress(href);
  return address === null ? (
    <span>{children}</span>
  ) : (
    <a href={address} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  );
};

/** Excludes punctuation after an address, because it usually ends the sentence. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/;

export const LinkedText: FC<{ text: string }> = ({ text }) => (
  <>{text.split(ADDRESS).map((part, at) => (at % 2 === 1 ? <OutsideLink href={part}>{part}</OutsideLink> : part))}</>
);
