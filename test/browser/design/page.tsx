// All parts of the console's kit, in all their states. The product does not serve this page.
import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { Section } from "../../../src/console/kit/feedback.tsx";
import { iconShapes } from "../../../src/console/kit/icon-shapes.ts";
import { Page, renderPage } from "../../../src/console/kit/page/page.tsx";
import { Buttons, Charts, Feedback, Fields, Lists, Navigation } from "./samples.tsx";

const COLOURS = {
  Grounds: ["ground", "surface", "raised", "sunken", "selected"],
  Lines: ["line", "strong-line"],
  Text: ["text", "dim", "accent", "good", "warning", "bad"],
  Notes: ["info-ground", "good-ground", "warning-ground", "bad-ground"],
  "States of messages": ["state-read", "state-delivered", "state-sent", "state-failed", "state-unknown"],
};

const SIZES = ["smallest", "smaller", "small", "body", "large", "larger", "title"];
const SPACES = ["1", "2", "3", "4", "5", "6", "8", "12"];

const Colours: FC = () => (
  <>
    {Object.entries(COLOURS).map(([title, names]) => (
      <>
        <h3>{title}</h3>
        <ul class="swatches">
          {names.map((name) => (
            <li>
              <svg width="40" height="24" aria-hidden="true">
                <rect width="40" height="24" rx="4" fill={`var(--${name})`} stroke="var(--line)" />
              </svg>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </>
    ))}
  </>
);

const Type: FC = () => (
  <ul class="swatches">
    {SIZES.map((size) => (
      <li>
        <svg width="76" height="28" aria-hidden="true">
          <text x="0" y="21" fill="var(--text)" font-size={`var(--size-${size})`}>
            Tidings
          </text>
        </svg>
        <code>size-{size}</code>
      </li>
    ))}
  </ul>
);

/** Samples of corners and of elements that cover the page. */
const Shapes: FC = () => (
  <ul class="swatches shapes">
    {["radius-small", "radius", "radius-large", "shadow"].map((name) => (
      <li>
        <span class={name}></span>
        <code>{name}</code>
      </li>
    ))}
  </ul>
);

const Spacing: FC = () => (
  <ul class="swatches">
    {SPACES.map((space) => (
      <li>
        <svg width={`${Number(space) / 4}rem`} height="16" aria-hidden="true">
          <rect width="100%" height="16" fill="var(--accent)" />
        </svg>
        <code>space-{space}</code>
      </li>
    ))}
  </ul>
);

const Icons: FC = () => (
  <ul class="swatches">
    {Object.entries(iconShapes).map(([name, shape]) => (
      <li>
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
          {raw(shape)}
        </svg>
        <code>{name}</code>
      </li>
    ))}
  </ul>
);

const PARTS = [
  { title: "Buttons", help: "One primary button a page. A button that deletes asks first.", Part: Buttons },
  { title: "Forms", help: "A fault stands at its field, which gets the focus.", Part: Fields },
  { title: "Feedback", help: "States are words; a colour only repeats them.", Part: Feedback },
  { title: "Lists", help: "On a phone a row is a card, headed by its first cell.", Part: Lists },
  { title: "Navigation", help: "Where one is, is marked, and named on a phone.", Part: Navigation },
  { title: "Charts", help: "A state has one colour in all of them, and each has a table.", Part: Charts },
];

const THEMES = ["light", "dark"] as const;

const page = (
  <Page title="Design" scripts={["times.client.js"]}>
    <p class="help">Pages are made of these parts. Their colours follow the system or the theme that one chooses.</p>
    <Section title="Colours">
      <Colours />
    </Section>
    <Section
      title="Type"
      help="In rem, so that they grow with the reader's own size; body text is a step larger on a phone."
    >
      <Type />
    </Section>
    <Section title="Spacing" help="In quarters of a rem.">
      <Spacing />
    </Section>
    <Section
      title="Shape"
      help="Controls have the radius in the middle; what floats has the large one, and the shadow."
    >
      <Shapes />
    </Section>
    <Section title="Icons" help="Lucide's. An icon stands beside words, or has words that are not seen.">
      <Icons />
    </Section>
    {PARTS.map(({ title, help, Part }) => (
      <Section title={title} help={help}>
        <div class="both-themes">
          {THEMES.map((theme) => (
            <div data-theme={theme}>
              <Part theme={theme} />
            </div>
          ))}
        </div>
      </Section>
    ))}
  </Page>
);

export const renderDesign = (assetDirectory: string): Promise<string> =>
  renderPage(
    {
      get base(): never {
        throw new Error("The design page reads no data.");
      },
      url: new URL("http://localhost/console/design"),
      origin: { network: "", deviceCookie: "", mayTry: () => Promise.resolve(true) },
      session: null,
      token: "",
      onceToken: "form_design",
      notice: null,
      refused: null,
      isSendingStopped: false,
      theme: "system",
      personPane: "shown",
      assets: { pathOf: (name) => assetDirectory + name, findAsset: () => undefined },
      receivedAt: 0,
    },
    page,
  );
