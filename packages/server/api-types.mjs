// The last step of the build: dist/api.d.ts, the types of the document that the built server answers. A step of its own because
// tsup removes every declaration that it did not make.
import { writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from './dist/index.js';

const head = '// Made from the OpenAPI document by the build.\n\n';
// A client may leave out what has a default.
const types = await openapiTS(await openApiDocument(), { defaultNonNullable: false });
await writeFile(new URL('./dist/api.d.ts', import.meta.url), head + astToString(types));
