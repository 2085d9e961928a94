import { ProviderError } from "./channel.ts";

/** The provider will not give the file any more: asking again is of no use. */
export class MediaGone extends ProviderError {
  constructor(providerCode: string | null) {
    super("The provider no longer has the file.", providerCode);
  }
}
