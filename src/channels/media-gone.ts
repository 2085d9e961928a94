import { ProviderError } from "./channel.ts";

/** The provider no longer serves the file, so retrying is useless. */
export class MediaGone extends ProviderError {
  constructor(providerCode: string | null) {
    super("The provider no longer has the file.", providerCode);
  }
}
