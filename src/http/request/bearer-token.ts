/** The token of the Authorization header; undefined if the header is missing or malformed. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
