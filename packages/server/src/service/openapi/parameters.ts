import type { JsonSchema as Json } from '@commerce/core/schemas';

const storeExample = '0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70';

/** Parameters of many operations. */
export const parameters = {
  StoreId: {
    name: 'storeId',
    in: 'path',
    required: true,
    description: 'The store of the API key.',
    schema: { type: 'string', format: 'uuid', examples: [storeExample] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text that you choose, such as a UUID. If you send the same request again within 24 hours, it is not executed again and gets the first response. With another body, the response is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$' },
  },
  CheckoutSecret: {
    name: 'Checkout-Secret',
    in: 'header',
    description:
      "The `secret` of the checkout. With it, `orderUrl` is the address of the buyer's page once the checkout is paid or placed; a wrong one is 403.",
    schema: { type: 'string' },
  },
  OrderToken: {
    name: 'Order-Token',
    in: 'header',
    description:
      "The token behind the `#` of the address of the buyer's page of an order. A secret; a wrong one is 404.",
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the item that you read. If the item has changed since then, the response is 409 and nothing is changed.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the item that you read. If the item is unchanged, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `handling=strict` (RFC 7240), unknown fields and parameters are 400 instead of ignored. Fields that the answer to the same resource has are still accepted.',
    schema: { type: 'string', examples: ['handling=strict'] },
  },
  Position: {
    name: 'Commerce-Position',
    in: 'header',
    description:
      'The header of that name of a write that must not be missed, where the service reads from replicas, whose answers may be some seconds old. Anything else, such as `primary`, has the primary answer. It is ignored where there are none.',
    schema: { type: 'string', examples: ['23912304'] },
  },
} as const satisfies Record<string, Json>;

export function parameterRef(name: keyof typeof parameters): Json {
  return { $ref: `#/components/parameters/${name}` };
}

/** Parameters of paths that are no ids. */
const named: Readonly<Record<string, Json>> = {
  kind: { description: 'The kind of mail.', schema: { type: 'string', examples: ['order.confirmed'] } },
  locale: { description: 'The language, a tag of BCP 47.', schema: { type: 'string', examples: ['de'] } },
};

/** A parameter of a path, other than the store. */
export function pathParameter(name: string, one: string): Json {
  if (named[name]) return { name, in: 'path', required: true, ...named[name] };
  return {
    name,
    in: 'path',
    required: true,
    description: `The id of the ${one}. A malformed id gets the same response as an unknown id.`,
    schema: { type: 'string', format: 'uuid' },
  };
}

/** The parameters of a query, one for each field of its schema. */
export function queryParameters(query: Json): Json[] {
  const required = new Set((query.required as string[] | undefined) ?? []);
  return Object.entries(query.properties as Record<string, Json>).map(([name, { description, ...field }]) => {
    const { type } = field;
    // A query cannot contain null, only the text `null`.
    const schema = Array.isArray(type) ? { ...field, type: type.find((one) => one !== 'null') } : field;
    return {
      name,
      in: 'query',
      ...(required.has(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      // Each field is a parameter of its own, as in `?attr.color=blue&attr.size=L`. A document cannot say that names have a prefix.
      ...(type === 'object' ? { style: 'form', explode: true } : {}),
      schema,
    };
  });
}
