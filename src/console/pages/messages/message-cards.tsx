import type { FC } from "hono/jsx";
import type { ContentOf, InteractiveContent, LocationContent, Referral } from "../../../channels/content.ts";
import { formatValue, toLabel } from "../../kit/format.ts";
import { LinkedText, OutsideLink } from "../../kit/safe-link.tsx";

export const MessageText: FC<{ text: string | undefined; class?: string }> = ({ text, ...rest }) =>
  text === undefined || text === "" ? null : (
    <p class="said" {...rest}>
      <LinkedText text={text} />
    </p>
  );

export const LocationCard: FC<{ location: LocationContent }> = ({
  location: { latitude, longitude, name, address, url },
}) => {
  const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <div class="card-part">
      <p>
        <span aria-hidden="true">📍</span> <strong>{name ?? "Location"}</strong>
      </p>
      {address !== undefined && <p>{address}</p>}
      <p class="help">
        {at} · <OutsideLink href={map}>Open map</OutsideLink>
        {url !== undefined && (
          <>
            {" "}
            · <OutsideLink href={url}>Open website</OutsideLink>
          </>
        )}
      </p>
    </div>
  );
};

const telephone = (phone: string) => `tel:${phone.replace(/[^\d+]/g, "")}`;

type Card = ContentOf<"contacts">[number];

const filled = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(", ");

const Person: FC<{ card: Card }> = ({ card }) => {
  const { name, phones, emails = [], org, addresses = [], urls = [], birthday } = card;
  return (
    <li class="card-part">
      <p>
        <span aria-hidden="true">👤</span> <strong>{name.formatted_name}</strong>
      </p>
      {org !== undefined && <p>{filled(org.title, org.department, org.company)}</p>}
      {phones.map(({ phone, type }) => (
        <p>
          <a href={telephone(phone)}>{phone}</a>
          {type !== undefined && <span class="help"> {toLabel(type.toLowerCase())}</span>}
        </p>
      ))}
      {emails.map(({ email }) => (
        <p>
          <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
        </p>
      ))}
      {addresses.map(({ street, city, state, zip, country, country_code }) => (
        <p>{filled(street, city, state, zip, country ?? country_code)}</p>
      ))}
      {urls.map(({ url }) => (
        <p>
          <OutsideLink href={url}>{url}</OutsideLink>
        </p>
      ))}
      {birthday !== undefined && <p class="help">Born {birthday}</p>}
    </li>
  );
};

export const People: FC<{ cards: readonly Card[] }> = ({ cards }) => (
  <ul class="cards-list">
    {cards.map((card) => (
      <Person card={card} />
    ))}
  </ul>
);

const Section: FC<{ section: Extract<InteractiveContent, { type: "list" }>["sections"][number] }> = ({
  section: { title, rows },
}) => (
  <li>
    {title !== undefined && <p class="help">{title}</p>}
    <ul>
      {rows.map((row) => (
        <li>
          {row.title}
          {row.description !== undefined && <span class="help"> {row.description}</span>}
        </li>
      ))}
    </ul>
  </li>
);

const Choices: FC<{ content: InteractiveContent }> = ({ content }) => {
  switch (content.type) {
    case "buttons":
      return (
        <ul class="choices-shown" aria-label="Buttons">
          {content.buttons.map(({ title }) => (
            <li>{title}</li>
          ))}
        </ul>
      );
    case "list":
      return (
        <details class="list-shown">
          <summary>☰ {content.button}</summary>
          <ul>
            {content.sections.map((section) => (
              <Section section={section} />
            ))}
          </ul>
        </details>
      );
    case "link":
      return (
        <p class="choices-shown">
          <OutsideLink href={content.url}>↗ {content.title}</OutsideLink>
        </p>
      );
    case "location_request":
      return <p class="choices-shown">📍 Send location</p>;
  }
};

export const Interactive: FC<{ content: InteractiveContent }> = ({ content }) => {
  const { header, footer } = content.type === "location_request" ? {} : content;
  return (
    <>
      {header !== undefined && <p class="bubble-title">{header}</p>}
      <MessageText text={content.body} />
      {footer !== undefined && <p class="help">{footer}</p>}
      <Choices content={content} />
    </>
  );
};

export const Choice: FC<{ choice: { title: string; description?: string | undefined }; from: "button" | "list" }> = ({
  choice: { title, description },
  from,
}) => (
  <>
    <p class="help">{from === "button" ? "Pressed a button" : "Chose from a list"}</p>
    <MessageText text={title} />
    {description !== undefined && <p class="help">{description}</p>}
  </>
);

const MAX_ANSWERS = 50;

export const FormReply: FC<{ reply: ContentOf<"form_reply"> }> = ({ reply: { name, body, response } }) => {
  const answers =
    typeof response === "object" && response !== null
      ? Object.entries(response).filter(([key]) => key !== "flow_token")
      : [];
  return (
    <>
      <p class="help">Filled in a form{name !== undefined && name !== "" && `: ${name}`}</p>
      <MessageText text={body} />
      {answers.length === 0 ? (
        typeof response === "string" && <MessageText text={response} />
      ) : (
        <dl class="answers">
          {answers.slice(0, MAX_ANSWERS).map(([key, value]) => (
            <div>
              <dt>{toLabel(key)}</dt>
              <dd>{formatValue(value).slice(0, 500)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
};

export const Unsupported: FC<{ content: ContentOf<"unsupported"> }> = ({
  content: { kind, reason, provider_code },
}) => (
  <p class="no-file">
    This message ({kind.replaceAll("_", " ")}) can't be shown here
    {reason !== undefined && `: ${reason.replace(/\.$/, "")}`}
    {provider_code !== undefined && ` (code ${provider_code})`}. Ask the person to send it in another way.
  </p>
);

export const ReferralCard: FC<{ referral: Referral }> = ({ referral: { headline, body, source_type, source_url } }) => (
  <p class="referral help">
    {source_type === "ad" ? "From an ad" : "From a link"}
    {headline !== undefined && (
      <>
        {": "}
        <OutsideLink href={source_url}>{headline}</OutsideLink>
      </>
    )}
    {headline === undefined && source_url !== undefined && (
      <>
        {": "}
        <OutsideLink href={source_url}>{source_url}</OutsideLink>
      </>
    )}
    {body !== undefined && ` – ${body}`}
  </p>
);
