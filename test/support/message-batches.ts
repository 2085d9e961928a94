import { type Answer, type Customer, phoneEnding } from "./world.ts";

export const sendBatch = (customer: Customer, messages: unknown, key?: string): Promise<Answer> =>
  customer.call(
    "POST",
    "/messages/batch",
    { messages },
    { headers: key === undefined ? {} : { "Idempotency-Key": key } },
  );

export const statusesOf = ({ body }: Answer): string[] => body.results.map(({ status }: Answer["body"]) => status);
export const errorsOf = ({ body }: Answer) =>
  body.results.map(({ error }: Answer["body"]) => (error === null ? null : [error.code, error.details]));

export const textsTo = (count: number, text = "Hi") =>
  Array.from({ length: count }, (_, index) => ({ to: phoneEnding("1234"), text: `${text} ${index}` }));
