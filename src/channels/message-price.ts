/** The price of a message, in the provider's own terms. */
export interface MessagePrice {
  billable: boolean | null;
  category: string | null;
  type: string | null;
}
