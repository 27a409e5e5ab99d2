import type { ErrorKind } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import { errorAnswers } from './errors.ts';
import { exampleOf } from './examples.ts';
import { headers } from './headers.ts';
import { parameterRef } from './parameters.ts';
import { serviceTag } from './prose.ts';

const itemOf = (item: Json): Json => ({ type: 'object', properties: { item }, required: ['item'] });

const storeId: Json = { type: 'string', format: 'uuid', description: 'The id of the store.' };

/** What the answer to a sign-in is: a session, the key for a program, or a question. */
const begun: Json = { type: 'object', properties: { storeId }, required: ['storeId'] };

const choice: Json = {
  type: 'object',
  properties: {
    choose: {
      type: 'array',
      description: 'Stores of the person: sign in again with the `storeId` of one.',
      items: {
        type: 'object',
        properties: { id: storeId, name: { type: 'string', description: 'Its name.' } },
        required: ['id', 'name'],
      },
    },
  },
  required: ['choose'],
};

const state: Json = {
  type: 'object',
  properties: {
    storeId: { ...storeId, type: ['string', 'null'], description: 'The store of the session; null without one.' },
    canKeepSessions: {
      type: 'boolean',
      description: 'False on plain HTTP elsewhere than at the machine itself, where a browser keeps no secure cookie.',
    },
    passkeyHost: {
      type: ['string', 'null'],
      description: 'The host that passkeys belong to; null if the address of the service can have none.',
    },
  },
  required: ['storeId', 'canKeepSessions', 'passkeyHost'],
};

/** Paths of the dashboard through which people sign in and out. They need no key. */
export function signInPaths(schemas: Record<string, Json>): Record<string, Record<string, Json>> {
  const body = { $ref: '#/components/schemas/SignInInput' };
  const key = itemOf({ $ref: '#/components/schemas/CreatedApiKey' });
  return {
    '/dashboard/sign-in': {
      get: operation('getSignIn', 'Tell whether the browser is signed in, and how it can sign in', {
        200: { description: 'The state.', schema: itemOf(state) },
      }),
      post: operation(
        'signIn',
        'Sign in to the dashboard, or exchange a code of `commerce dashboard` for a key of 12 hours',
        {
          200: { description: 'The person is a user of several stores, and named none.', schema: choice },
          201: {
            description: 'The session, in a cookie. A program gets a key with every scope instead.',
            schema: { anyOf: [itemOf(begun), key] },
          },
        },
        {
          description:
            'A code works once. With the header `Commerce-Dashboard: 1`, from a page of this origin, the answer sets a cookie. The answer to an unknown e-mail, a disabled user and a wrong password is the same.',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: body, example: exampleOf(body, schemas) } },
          },
        },
        ['validation', 'unauthorized', 'conflict', 'tooLarge', 'unsupportedMediaType', 'rateLimited'],
      ),
    },
    '/dashboard/passkey-options': {
      post: operation(
        'getPasskeyOptions',
        'Get what a browser needs to sign in with a passkey',
        { 200: { description: 'The options.', schema: itemOf({ $ref: '#/components/schemas/PasskeyOptions' }) } },
        {},
        ['conflict', 'rateLimited'],
      ),
    },
    '/dashboard/sign-out': {
      post: operation(
        'signOut',
        'End the session of the browser',
        { 204: { description: 'The cookie is removed.' } },
        { security: [{ session: [] }] },
        ['forbidden'],
      ),
    },
  };
}

function operation(
  operationId: string,
  summary: string,
  answers: Record<number, { description: string; schema?: Json }>,
  facts: Json = {},
  errors: readonly ErrorKind[] = [],
): Json {
  const responses = Object.entries(answers).map(([status, { description, schema }]) => [
    status,
    {
      description,
      headers: headers('X-Request-Id', 'Preference-Applied'),
      ...(schema ? { content: { 'application/json': { schema } } } : {}),
    },
  ]);
  return {
    operationId,
    tags: [serviceTag],
    summary,
    security: [],
    parameters: [parameterRef('Prefer')],
    ...facts,
    responses: {
      ...Object.fromEntries(responses),
      ...errorAnswers(['validation', ...errors, 'methodNotAllowed', 'internal', 'unavailable']),
    },
  };
}
