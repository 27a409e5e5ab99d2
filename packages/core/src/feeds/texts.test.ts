import { hostileText } from '@commerce/test-support/fixtures/hostile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, oneLine, plainText } from './texts.ts';

describe('texts of feeds', () => {
  it('are one line without control characters, marks of direction and halves of characters', () => {
    expect(oneLine(' a\tb\r\nc\u0000d\u0085e\u2028f\ufffe\u202eg\u2066h\ufeff\ud800 ')).toBe('a b c d e fgh\ufffd');
    expect(oneLine('شاي \u200fأسود 👩‍👩‍👧 ]]> "x"')).toBe('شاي \u200fأسود 👩‍👩‍👧 ]]> "x"');
  });

  it('are cut after a word, or after a whole character of a word that is too long', () => {
    expect(cut('one two three', 13)).toBe('one two three');
    expect(cut('one two three', 12)).toBe('one two');
    expect(cut('one two three', 7)).toBe('one two');
    expect(cut('a'.repeat(60), 50)).toBe('a'.repeat(50));
    const family = '👩‍👩‍👧';
    expect(cut(family.repeat(3), family.length * 2 + 3)).toBe(family.repeat(2));
    expect(cut(`e${'\u0301'.repeat(80)}`, 10)).toBe(`e${'\u0301'.repeat(9)}`);
    expect(cut('👍👍', 3)).toBe('👍');
  });

  it('stay short and whole, whatever is cut', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 4, max: 80 }), (text, max) => {
        const line = cut(oneLine(text), max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line.isWellFormed()).toBe(true);
        expect(oneLine(text).startsWith(line)).toBe(true);
      }),
    );
  });

  it('have no markup', () => {
    const html = '<p>Tea &amp; <b>cakes</b></p><script>x</script><ul><li>one</li><li>two</li></ul>';
    expect(plainText(html, 'html')).toBe('Tea & cakes - one - two');
    expect(plainText(html, 'text')).toBe('Tea & cakes - one - two');
    expect(plainText('5 < 6 & 7 > 3', 'text')).toBe('5 < 6 & 7 > 3');
    const markdown =
      '# A mug\n\n> It is **blue**, _really_, and `strong`.\n\n- [handle](https://x.example/a_b)\n* 2 * 3 = snake_case\n\n---\n![photo](p.png) \\*not\\*';
    expect(plainText(markdown, 'markdown')).toBe(
      'A mug It is blue, really, and strong. handle 2 * 3 = snake_case photo *not*',
    );
  });

  it('take little time, whatever they contain', () => {
    const before = performance.now();
    for (const sign of ['[', '](', '*', '_ ', '`', '<', '&#', '\\', '![', '- '])
      plainText(sign.repeat(50_000), 'markdown');
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
