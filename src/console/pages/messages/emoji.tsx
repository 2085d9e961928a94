import type { FC } from "hono/jsx";

/** The reactions that phones offer first. */
const EMOJI = [
  ["👍", "Thumbs up"],
  ["❤️", "Heart"],
  ["😂", "Laughing"],
  ["😮", "Surprised"],
  ["😢", "Sad"],
  ["🙏", "Thank you"],
] as const;

/** Form buttons; pressing the current reaction removes it. */
export const EmojiButtons: FC<{ own?: string }> = ({ own = "" }) => (
  <div class="emoji-buttons">
    {EMOJI.map(([emoji, name]) => (
      <button
        type="submit"
        class="plain"
        name="emoji"
        value={emoji === own ? "" : emoji}
        data-emoji={emoji}
        aria-pressed={emoji === own ? "true" : "false"}
        aria-label={name}
      >
        {emoji}
      </button>
    ))}
  </div>
);
