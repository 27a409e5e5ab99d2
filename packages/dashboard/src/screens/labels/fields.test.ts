import { describe, expect, it } from 'vitest';
import { metadataFields, tagFields } from './fields.ts';

const { metadata } = metadataFields;
const { tags } = tagFields;

/** The sentence of a refusal. */
function refused(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return (error as { details: { said?: string }[] }).details[0]?.said;
  }
  return undefined;
}

describe('texts for other programs', () => {
  it('are sent as they were read, without empty rows', () => {
    const rows = metadata.read({ 'erp.id': '4711', note: '' });
    expect(metadata.sent([...rows, ['', ' ']])).toEqual({ 'erp.id': '4711', note: '' });
    expect(metadata.sent(metadata.read(undefined))).toEqual({});
  });

  it('have names that the interface takes, each once', () => {
    const said = (name: string) => refused(() => metadata.sent([[name, 'x']]));
    for (const name of ['', 'größe', 'two words', 'a'.repeat(41)]) expect(said(name)).toBeTruthy();
    expect(said('')).not.toBe(said('größe'));
    expect(said('A-z_0.9')).toBeUndefined();
    const twice: [string, string][] = [
      ['a', '1'],
      [' a', '2'],
    ];
    expect(refused(() => metadata.sent(twice))).toContain('“a”');
  });
});

describe('tags', () => {
  it('are sent without blanks and doubles', () => {
    expect(tags.sent([' vip ', '', 'vip', 'b2b'])).toEqual(['vip', 'b2b']);
    expect(tags.read(undefined)).toEqual([]);
  });

  it('are at most fifty', () => {
    const many = Array.from({ length: 51 }, (_, i) => `tag ${i}`);
    expect(refused(() => tags.sent(many))).toContain('50');
    expect(tags.sent(many.slice(1))).toHaveLength(50);
  });
});
