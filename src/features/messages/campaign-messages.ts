/** What campaigns do with their messages, as statements for a batch of theirs. */
export {
  abandon,
  claimAgain,
  insertRecipients,
  isDueAgain,
  isUnsettledAgain,
  isUnsettledFirst,
  stateName,
} from "./campaign-messages.repository.ts";
