import { raw } from "hono/html";
import type { FC } from "hono/jsx";
import { renderProse } from "../markdown.tsx";
import { type Field, requirementOf, type Shape } from "../openapi/schema-reader.ts";
import { hrefOf } from "../page.ts";

const Choices: FC<{ choices: string[] }> = ({ choices }) =>
  choices.length === 0 ? null : (
    <p class="choices">
      <span>One of</span>{" "}
      {choices.map((choice) => (
        <>
          <code>{choice}</code>{" "}
        </>
      ))}
    </p>
  );

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Types that have a page of their own, and the address of the page. */
const pagesOfTypes = new Map([["Event", hrefOf("/reference/event-types")]]);

const Inside: FC<{ field: Field; showRequired: boolean }> = ({
  field: { name, type, fields, shapes },
  showRequired,
}) => {
  const page = pagesOfTypes.get(type.replace(/\[\]$/, ""));
  if (page !== undefined)
    return (
      <p class="about">
        For its fields, see <a href={page}>Event types</a>.
      </p>
    );
  if (fields.length === 0 && shapes.length === 0) return null;
  return (
    <details class="inside">
      <summary>
        {fields.length > 0 ? countOf(fields.length, "field") : countOf(shapes.length, "shape")}
        <span class="hidden"> of {name}</span>
      </summary>
      <FieldList fields={fields} showRequired={showRequired} />
      <ShapeList shapes={shapes} showRequired={showRequired} />
    </details>
  );
};

const Requirement: FC<{ field: Field }> = ({ field }) => {
  const requirement = requirementOf(field);
  return requirement === "" ? null : <span class="required">{requirement}</span>;
};

export const FieldList: FC<{ fields: Field[]; showRequired: boolean }> = ({ fields, showRequired }) =>
  fields.length === 0 ? null : (
    <ul class="fields">
      {fields.map((field) => (
        <li>
          <div class="field">
            <code class="name">{field.name}</code>
            <span class="type">{field.type}</span>
            {showRequired && <Requirement field={field} />}
            {field.limits.length > 0 && <span class="limits">{field.limits.join(" · ")}</span>}
          </div>
          {field.description !== undefined && <div class="about">{raw(renderProse(field.description))}</div>}
          <Choices choices={field.choices} />
          <Inside field={field} showRequired={showRequired} />
        </li>
      ))}
    </ul>
  );

export const ShapeList: FC<{ shapes: Shape[]; showRequired: boolean }> = ({ shapes, showRequired }) =>
  shapes.length === 0 ? null : (
    <div class="shapes">
      {shapes.map(({ label, description, fields }) => (
        <details class="inside">
          <summary>
            <code>{label}</code>
          </summary>
          {description !== undefined && <div class="about">{raw(renderProse(description))}</div>}
          <FieldList fields={fields} showRequired={showRequired} />
        </details>
      ))}
    </div>
  );
