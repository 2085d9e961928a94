/** What makes one contact of two, as statements for a batch that moves what else belongs to them. */
export { survivorOf } from "./contacts.joining.ts";
export {
  type Claim,
  claimedIdentities,
  type Join,
  joinRows,
  parseClaims,
  readSelected,
} from "./join-contacts.repository.ts";
