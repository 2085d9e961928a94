// Addresses that people sent: only those of the web become links.
import type { FC, PropsWithChildren } from "hono/jsx";

/** The address where it is one of the web; null for `javascript:` and the like. */
export function webAddress(url: string | null | undefined): string | null {
  if (url === null || url === undefined || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

/** A link out of the console. Where the address is none of the web, its text alone. */
export const OutsideLink: FC<PropsWithChildren<{ href: string | null | undefined; class?: string }>> = ({
  href,
  children,
  ...rest
}) => {
  const address = webAddress(href);
  return address === null ? (
    <span {...rest}>{children}</span>
  ) : (
    <a href={address} target="_blank" rel="noreferrer noopener nofollow" {...rest}>
      {children}
    </a>
  );
};

/** An address in a text, up to what more likely ends the sentence. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/;

/** A text whose web addresses are links. */
export const LinkedText: FC<{ text: string }> = ({ text }) => (
  <>{text.split(ADDRESS).map((part, at) => (at % 2 === 1 ? <OutsideLink href={part}>{part}</OutsideLink> : part))}</>
);
