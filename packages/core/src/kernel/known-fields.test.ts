import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CommerceError } from './errors.ts';
import { passing, refuseUnknownFields, refuseUnknownParameters, strictly, takingNames } from './known-fields.ts';
import { fields, integer, parse, secretOf, text } from './parse.ts';

const savedAddress = z.object({ id: z.string(), city: z.string(), isDefault: z.boolean() });
const address = passing(fields({ city: text(20).nullable().default(null) }), () => savedAddress);
const answer = z.object({
  id: z.string(),
  note: z.string(),
  lines: z.array(z.object({ sku: z.string(), total: z.string() })),
  state: z.object({ since: z.string() }),
});
const body = strictly(
  fields({
    note: text(20).optional(),
    shippingAddress: address.nullable().default(null),
    lines: z
      .array(fields({ sku: text(20), quantity: integer(1, 9).optional() }).refine(({ sku }) => sku !== 'none'))
      .optional(),
    restock: z.union([z.boolean(), z.array(fields({ productId: text(20) }))]).optional(),
    attributes: z.record(z.string(), fields({ value: text(20) })).optional(),
    replaces: fields({ secret: secretOf(text(20)) })
      .transform(({ secret }) => secret)
      .optional(),
  }),
  () => answer,
);

function refusalOf(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof CommerceError) return error;
    throw error;
  }
  throw new Error('was taken');
}

const refusedBy = (input: unknown) => refusalOf(() => parse(body, input)).details.map(({ field }) => field);

describe('a strict body', () => {
  it('is refused for a field that is not one of its own, with the fields that would be right', () => {
    const error = refusalOf(() => parse(body, { shippingAddress: { colour: 'red' } }));
    expect(error).toMatchObject({
      kind: 'validation',
      message: 'shippingAddress.colour: is not a field of shippingAddress; the fields are city',
      details: [{ field: 'shippingAddress.colour', code: 'UNKNOWN_FIELD', limits: { values: ['city'] } }],
    });
    expect(refusalOf(() => parse(body, { execute: true })).message).toBe(
      'execute: is not a field; the fields are note, shippingAddress, lines, restock, attributes, replaces',
    );
  });

  it('is refused wherever the field is: in lists, choices, records and what is transformed', () => {
    expect(refusedBy({ lines: [{ sku: 'a' }, { sku: 'b', price: '1' }] })).toEqual(['lines.1.price']);
    expect(refusedBy({ restock: [{ productId: 'a', all: true }] })).toEqual(['restock.0.all']);
    expect(refusedBy({ attributes: { anything: { value: 'a', unit: 'b' } } })).toEqual(['attributes.anything.unit']);
    expect(refusedBy({ replaces: { secret: 'a', token: 'b' } })).toEqual(['replaces.token']);
    expect(refusedBy({ Note: 'a', constructor: 1, lines: [{ sku: 'a', x: 1 }] })).toEqual([
      'Note',
      'constructor',
      'lines.0.x',
    ]);
    expect(refusedBy(JSON.parse('{"__proto__":{"note":"a"}}'))).toEqual(['__proto__']);
  });

  it('takes what the answer to the same resource has, and reads only its own', () => {
    const sent = {
      id: 'a',
      note: 'b',
      lines: [{ sku: 'c', total: '1.00' }],
      state: { since: 'yesterday', by: ['anyone', { at: 1 }] },
      shippingAddress: { id: 'd', city: 'London', isDefault: true },
      unsaid: undefined,
    };
    expect(parse(body, sent)).toEqual({
      note: 'b',
      lines: [{ sku: 'c' }],
      shippingAddress: { city: 'London' },
    });
    // The fields of an answer pass at their own place only.
    expect(refusedBy({ isDefault: true, lines: [{ sku: 'a', id: 'b' }] })).toEqual(['isDefault', 'lines.0.id']);
  });

  it('stays strict when a rule is added to it', () => {
    const refined = body.refine(() => true);
    expect(refusalOf(() => parse(refined, { execute: true })).details[0]?.code).toBe('UNKNOWN_FIELD');
    expect(parse(refined, { id: 'a' })).toEqual({ shippingAddress: null });
  });

  it('leaves values of a wrong kind to the schema', () => {
    for (const input of [null, undefined, 1, 'text', [{ x: 1 }]]) {
      expect(refusalOf(() => parse(body, input)).details[0]?.code).not.toBe('UNKNOWN_FIELD');
    }
    expect(refusedBy({ shippingAddress: 'London', lines: { sku: 'a' } })).toEqual(['shippingAddress', 'lines']);
  });

  it('names at most twenty fields, shortened, and quotes no value', () => {
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [`${'x'.repeat(5000)}${i}`, 'sk_live_do_not_repeat']),
    );
    const error = refusalOf(() => parse(body, many));
    expect(error.details).toHaveLength(20);
    expect(error.details[0]?.field.length).toBeLessThanOrEqual(80);
    expect(JSON.stringify([error.message, error.details])).not.toContain('sk_live');
  });

  it('is ignorant of unknown fields if it is not strict, until it is asked', () => {
    const lenient = fields({ note: text(20).optional(), shippingAddress: address.optional() });
    const input = { colour: 'red', total: '1', shippingAddress: { id: 'a', colour: 'red' } };
    expect(parse(lenient, input)).toEqual({ shippingAddress: { city: null } });
    const error = refusalOf(() => refuseUnknownFields(lenient, input, z.object({ total: z.string() })));
    expect(error.details.map(({ field }) => field)).toEqual(['colour', 'shippingAddress.colour']);
    expect(error.message).toMatch(/\(and 1 more\)$/);
  });
});

describe('the parameters of a query', () => {
  const query = fields({ limit: integer(1, 9), status: text(9).optional() });

  it('are refused if the schema does not have them', () => {
    expect(() => refuseUnknownParameters(query, ['limit', 'status'])).not.toThrow();
    const error = refusalOf(() => refuseUnknownParameters(query, ['limit', 'color', 'Status']));
    expect(error.message).toBe('color: is not a parameter; the parameters are limit, status (and 1 more)');
    expect(error.details.map(({ field, code }) => [field, code])).toEqual([
      ['color', 'UNKNOWN_FIELD'],
      ['Status', 'UNKNOWN_FIELD'],
    ]);
    expect(refusalOf(() => refuseUnknownParameters(undefined, ['limit'])).message).toBe(
      'limit: is not a parameter; there are no parameters',
    );
  });

  it('can be of any name that begins with a prefix', () => {
    const open = takingNames(fields({ limit: integer(1, 9) }), 'attr.', 'metadata.');
    expect(() => refuseUnknownParameters(open, ['attr.color', 'metadata.size', 'limit'])).not.toThrow();
    expect(refusalOf(() => refuseUnknownParameters(open, ['color'])).message).toBe(
      'color: is not a parameter; the parameters are limit, attr.<name>, metadata.<name>',
    );
    const any = takingNames(fields({ limit: integer(1, 9) }), '');
    expect(() => refuseUnknownParameters(any, ['color', 'x'.repeat(500)])).not.toThrow();
  });
});
