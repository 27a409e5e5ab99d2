import * as z from 'zod';
import { type Entity, entity, type GivenInput, type Input, written } from '../../fields/entity.ts';
import { kind, nullable, requiredText } from '../../fields/kinds.ts';
import { maxParties } from '../../kernel/limits.ts';
import { emailAddress, ruled, text } from '../../kernel/parse.ts';
import { parseWebAddress } from '../../kernel/url.ts';
import { methodId, uniqueIds } from './methods.ts';

const webAddress = text(2000, 1).refine(
  (address) => parseWebAddress(address) !== undefined,
  ruled('must be a web address such as "https://maker.example"', 'NOT_A_URL'),
);

const partyShape = {
  /** The id, which products name. */
  id: written(
    kind(methodId, () => z.string(), 'word'),
    { words: 'The id, which products name.', example: 'maker', initial: '' },
  ),
  /** The name, or the registered trade name or mark. */
  name: written(requiredText(255), {
    words: 'The name, or the registered trade name or mark.',
    example: 'Morning Cups GmbH',
    required: true,
  }),
  /** The postal address; its lines are separated by line breaks. */
  address: written(requiredText(500), {
    words: 'The postal address; its lines are separated by line breaks.',
    example: 'Teichweg 1\n10115 Berlin\nGermany',
    required: true,
  }),
  /** The e-mail; this or `url` is required. */
  email: written(nullable(kind(emailAddress, () => z.string(), 'text')), {
    words: 'The e-mail; this or `url` is required.',
    example: 'safety@maker.example',
  }),
  /** The web address; this or `email` is required. */
  url: written(nullable(kind(webAddress, () => z.string(), 'text')), {
    words: 'The web address; this or `email` is required.',
    example: 'https://maker.example',
  }),
};

const partyEntity = entity(partyShape, {
  words:
    'A maker of goods, or the person in the European Union who is responsible for them: Art. 19 of Regulation 2023/988.',
  strict: true,
});

/** A maker of goods, or the person in the European Union who is responsible for them. */
export type Party = Entity<typeof partyShape>;
type Given = GivenInput<typeof partyShape>;

const parties = {
  rule: (decimals: number): z.ZodType<Given[], Input<typeof partyShape>[]> =>
    z
      .array(
        partyEntity.inputs(decimals).create.refine(({ email, url }) => email != null || url != null, {
          ...ruled('is required, unless url is given: an electronic address by law', 'REQUIRED'),
          path: ['email'],
        }),
        'must be a list of parties',
      )
      .max(maxParties, `must have at most ${maxParties} parties`)
      .refine(uniqueIds, ruled('must not have two parties of one id', 'CONFLICTING')) as never,
  answer: () => z.array(partyEntity.answer()),
  cell: 'json' as const,
};

/** The settings about who makes goods. */
export const partySettings = {
  /** Makers of goods, and persons in the European Union who are responsible for them. */
  parties: written(parties, {
    words: 'Makers of goods, and persons in the European Union who are responsible for them.',
    input: {
      words:
        'Replaced as a whole. An entry with an `id` keeps it, one without gets one. One that products name cannot be left out.',
    },
    initial: [],
    entries: partyShape,
  }),
};
