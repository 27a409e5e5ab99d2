import * as z from 'zod';
import { type Entity, entity, written } from '../../fields/entity.ts';
import { flag, kind, nullable } from '../../fields/kinds.ts';
import { objectOf } from '../../fields/nested.ts';
import { ruled, text } from '../../kernel/parse.ts';
import { hostKey } from '../../kernel/url.ts';

const host = text(259, 1)
  .trim()
  .refine(
    (given) => hostKey(given) !== undefined,
    ruled(
      'must be a host name such as "shop.example" or "shop.example:8443", without https:// and a path',
      'NOT_A_URL',
    ),
  )
  .transform((given) => hostKey(given) ?? given);

const ucpShape = {
  /** Whether shopping agents can search and read the published products by the Universal Commerce Protocol. */
  enabled: written(flag(), {
    words: 'Whether shopping agents can search and read the published products by the Universal Commerce Protocol.',
    example: true,
    initial: false,
  }),
  /** The host whose `/.well-known/ucp` names this store. Null suits a service with one store, which answers on every host. */
  host: written(nullable(kind(host, () => z.string(), 'word')), {
    words:
      'The host whose `/.well-known/ucp` names this store. Null suits a service with one store, which answers on every host.',
    example: 'shop.example',
    input: { words: 'A host name with or without a port, in any case. No other store of the service has it: 409.' },
  }),
};

const ucpEntity = entity(ucpShape, {
  words: 'What shopping agents can read by the Universal Commerce Protocol.',
  strict: true,
});

/** What shopping agents can read by the Universal Commerce Protocol. */
export type UcpSettings = Entity<typeof ucpShape>;

/** The settings for shopping agents. */
export const ucpSettings = {
  /** What shopping agents can read by the Universal Commerce Protocol. */
  ucp: written(objectOf(ucpEntity), {
    words: 'What shopping agents can read by the Universal Commerce Protocol.',
    input: { words: 'Replaced as a whole: a field that is left out gets its usual value.' },
    initial: ucpEntity.initial,
    entries: ucpShape,
  }),
};
