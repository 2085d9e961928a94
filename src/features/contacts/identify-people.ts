/** How providers know people, as statements for the batches of higher features. */
export { chooseMarketing, keysOfContacts, keysOfPerson } from "./choose-marketing.repository.ts";
export {
  followingPhones,
  followingUserIds,
  keysFollowing,
  liftOlderOptOuts,
  noteOptIn,
  WHOLE_SECOND_MS,
} from "./follow-changes.repository.ts";
export {
  attachPhone,
  copyOptOuts,
  identityKeyOf,
  insertIdentities,
  keepIdentities,
  type KnownPerson,
  refuseSeveral,
  seqNow,
  seqOfPerson,
  seqsNow,
  seqsOfPerson,
} from "./identify-people.repository.ts";
