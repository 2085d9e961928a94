export { TidingsError } from "./errors.ts";
export { Tidings } from "./tidings.ts";
export * as webhooks from "./webhooks.ts";
export type * from "./generated/types.ts";
export type { List } from "./list.ts";
export type {
  CallOptions,
  ChangeOptions,
  MediaFile,
  Revisioned,
  TidingsOptions,
  UploadOptions,
  WriteOptions,
} from "./options.ts";
export type { WebhookDeliveryBody } from "./webhooks.ts";
