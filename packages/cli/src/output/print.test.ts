import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { csvLine } from './csv.ts';
import { pairs, table } from './print.ts';
import { painted, terminalWidth } from './terminal.ts';
import { cut, padded, widthOf } from './width.ts';

// Node.js gives no colours to a continuous integration that it does not know, and colours to every stream with `FORCE_COLOR`.
beforeEach(() => {
  for (const name of ['NO_COLOR', 'NODE_DISABLE_COLORS', 'FORCE_COLOR', 'CI', 'TF_BUILD', 'TEAMCITY_VERSION'])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe('The width of a text on a terminal', () => {
  it.each([
    ['mug', 3],
    ['Tée', 3],
    ['e\u0301', 1],
    ['マグカップ', 10],
    ['ﾏｸﾞ', 3],
    ['茶 tea', 6],
    ['머그', 4],
    ['☕', 2],
    ['❤️', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇫🇷', 2],
    ['…', 1],
  ])('of %s is %d', (text, width) => {
    expect(widthOf(text)).toBe(width);
    expect(padded(text, 12)).toBe(text + ' '.repeat(12 - width));
  });

  it('is the same of letters whether or not they stand beside what has to be looked at closely', () => {
    const letters = Array.from({ length: 0xd800 - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i)).filter(
      (one) =>
        /[\u0020-\u02ff\u2000-\u20ff\u3000-\u30ff\u4e00-\u4fff\u9f00-\u9fff\uac00-\ud7a3]/.test(one) &&
        /[\p{L}\p{N}\p{P}\p{S}]/u.test(one),
    );
    expect(letters.length).toBeGreaterThan(10_000);
    const wrong = letters.filter((letter) => widthOf(`${letter}${letter}☕`) !== 2 * widthOf(letter) + 2);
    expect(wrong).toEqual([]);
    expect(['a', 'é', '–', '、', 'か', 'カ', 'ー', '茶', '차'].map(widthOf)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2]);
  });

  it('cuts between characters, never inside one', () => {
    expect(cut('マグカップ', 6)).toBe('マグ…');
    expect(cut('マグカップ', 5)).toBe('マグ…');
    expect(cut('a👩‍👩‍👧‍👦b', 3)).toBe('a…');
    expect(cut('Blue mug', 8)).toBe('Blue mug');
    expect(cut('Blue mugs', 8)).toBe('Blue mu…');
  });
});

describe('A table', () => {
  const rows = [
    { id: '0193d3ef-c080-7057-a93a-4fc162809ebd', title: 'マグカップ', price: '12.50', note: 'x'.repeat(60) },
    { id: '0193d3ef-c080-7058-a93a-4fc162809ebe', title: 'Mug\u001b[31m\u202e', price: '5.00', note: '☕' },
  ];
  const columns = {
    id: (row: (typeof rows)[number]) => row.id,
    title: (row: (typeof rows)[number]) => row.title,
    price: (row: (typeof rows)[number]) => row.price,
    note: (row: (typeof rows)[number]) => row.note,
  };

  it('shows everything whole where nobody looks at a terminal', () => {
    const [head, first, second] = table(rows, columns, undefined).split('\n');
    expect(head).toMatch(/^id {36}title {7}price {2}note$/);
    expect(first).toBe(`${rows[0]?.id}  マグカップ  12.50  ${'x'.repeat(60)}`);
    expect(second).toBe(`${rows[1]?.id}  Mug\ufffd[31m\ufffd    5.00  ☕`);
  });

  it('fits a terminal: ids are cut to what tells them apart, then the widest column is', () => {
    const lines = table(rows, columns, 60).split('\n');
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60);
    expect(lines[1]).toMatch(/^0193d3ef-c080-7057… {2}マグカップ {2}12\.50 {2}x+…$/);
    expect(lines[2]).toMatch(/^0193d3ef-c080-7058… {2}/);
  });

  it('names the columns that a narrow terminal has no room for', () => {
    const lines = table(rows, columns, 24, '; choose with --columns').split('\n');
    for (const line of lines.slice(0, -1)) expect(widthOf(line)).toBeLessThanOrEqual(24);
    expect(lines.at(-1)).toBe('(too narrow for price, note; choose with --columns)');
    expect(lines[0]).not.toContain('note');
  });

  it('says that there are none', () => {
    expect(table([], columns)).toBe('(none)');
  });
});

describe('Control characters', () => {
  it('are made visible in labels and values alike', () => {
    expect(pairs({ name: 'Eve\u001b]0;owned\u0007', note: 'a\u0000b\r' })).toBe(
      'name  Eve\ufffd]0;owned\ufffd\nnote  a\ufffdb\ufffd',
    );
  });
});

describe('Colours', () => {
  const streamWith = (properties: object) =>
    Object.assign(new PassThrough(), properties) as unknown as NodeJS.WriteStream;
  const terminal = streamWith({ isTTY: true, columns: 100, getColorDepth: WriteStream.prototype.getColorDepth });
  const pipe = streamWith({ isTTY: false, columns: 100 });

  it('are for terminals alone', () => {
    vi.stubEnv('TERM', 'xterm');
    expect(painted('error:', 'red', terminal)).toBe('\u001b[31merror:\u001b[39m');
    expect(painted('error:', 'red', pipe)).toBe('error:');
    expect([terminalWidth(terminal), terminalWidth(pipe)]).toEqual([100, undefined]);
  });

  it.each([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
  ])('are left out with %s=%s', (name, value) => {
    vi.stubEnv(name, value);
    expect(painted('error:', 'red', terminal)).toBe('error:');
  });
});

describe('A line of CSV', () => {
  it.each<[string, unknown[], string]>([
    ['quotes what needs it', ['a', 'b,c', 'say "hi"', 'two\nlines'], 'a,"b,c","say ""hi""","two\nlines"\r\n'],
    ['has nothing for null, and JSON for parts', [null, undefined, [1], { a: 'b' }], ',,[1],"{""a"":""b""}"\r\n'],
    ['defuses formulas', ['=1+1', '+49 30', '-cmd', '@x', '\tx'], "'=1+1,'+49 30,'-cmd,'@x,'\tx\r\n"],
    ['leaves numbers alone', [-5, '-12.50', true], '-5,-12.50,true\r\n'],
  ])('%s', (_, values, line) => {
    expect(csvLine(values)).toBe(line);
  });
});
