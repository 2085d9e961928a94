import * as z from "zod";

const schema = z.object({
  $ref: z.string().optional(),
  title: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return schema.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
  get allOf() {
    return z.array(schema).optional();
  },
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  example: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});

export type Schema = z.infer<typeof schema>;

const examples = z.record(z.string(), z.looseObject({ summary: z.string().optional(), value: z.unknown() })).optional();

const reference = z.object({ $ref: z.string().optional() });

const media = z.object({ schema: schema.optional(), example: z.unknown().optional(), examples });

const content = z.record(z.string(), media).default({});

const parameter = reference.extend({
  in: z.string().default(""),
  name: z.string().default(""),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: schema.default({}),
  example: z.unknown().optional(),
  examples,
});

const response = reference.extend({ description: z.string().default(""), content });

const requestBody = reference.extend({
  description: z.string().optional(),
  required: z.boolean().default(false),
  content,
});

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  summary: z.string().default(""),
  description: z.string().default(""),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z.array(parameter).default([]),
  requestBody: requestBody.optional(),
  responses: z.record(z.string(), response).default({}),
});

export type Operation = z.infer<typeof operation>;
export type Response = z.infer<typeof response>;
export type Media = z.infer<typeof media>;
export type Parameter = z.infer<typeof parameter>;

export const documentShape = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().default("") }),
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })).default([]),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.record(z.string(), operation)).default({}),
  components: z.object({
    schemas: z.record(z.string(), schema).default({}),
    parameters: z.record(z.string(), parameter).default({}),
    responses: z.record(z.string(), response).default({}),
    requestBodies: z.record(z.string(), requestBody).default({}),
    examples: z.record(z.string(), z.looseObject({ value: z.unknown() })).default({}),
    securitySchemes: z.record(z.string(), z.looseObject({ description: z.string().default("") })).default({}),
  }),
});

export type ApiDocument = z.infer<typeof documentShape>;
