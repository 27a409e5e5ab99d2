// The last step of the build: dist/api.d.ts, the types of the document that the built server answers. A step of its own because
// tsup removes every declaration that it did not make.
import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from './dist/index.js';

const head = '// Made from the OpenAPI document by the build.\n\n';
// A client may leave out what has a default.
const types = await openapiTS(await openApiDocument(), { defaultNonNullable: false });
// The document has the bodies of webhooks deep inside of its operations.
const tail = `
/** The types of the events that a subscription can have. */
export type WebhookEventType = keyof webhooks;

/**
 * The body of a webhook: one of all events by default, told apart by \`type\`, or those of some types, as in \`WebhookEvent<'order.paid'>\`. The
 * test event \`webhook.test\` is not among them.
 */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
    [One in Type]: webhooks[One]["post"]["requestBody"]["content"]["application/json"];
}[Type];
`;
await writeFile(new URL('./dist/api.d.ts', import.meta.url), head + astToString(types) + tail);
