// The readable line of a message that is not a text: what its `body` says. Pure.
import type { OutboundContent } from "../../channels/content.ts";
import { labelled, listed } from "../../channels/readable.ts";

export function readableLine({ type, content }: Exclude<OutboundContent, { type: "text" }>): string {
  switch (type) {
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return labelled(content.voice === true ? "voice message" : type, content.filename, content.caption);
    case "location": {
      const { name, address, latitude, longitude } = content;
      const place = listed(name, address);
      return labelled(type, place === "" ? listed(latitude, longitude) : place);
    }
    case "contacts":
      return labelled(type, listed(...content.map(({ name }) => name.formatted_name)));
    case "interactive":
      return content.body;
    case "reaction":
      return content.emoji === "" ? labelled("reaction removed") : labelled(type, content.emoji);
  }
}
