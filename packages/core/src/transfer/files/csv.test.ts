import { expect, it } from 'vitest';
import { openCsv, openCsvWriter } from './csv.ts';
import { readJsonLines } from './json-lines.ts';
import { LineIndex } from './line-index.ts';
import { decodeText, type Encoding } from './text.ts';

const known = new Set(['slug', 'title', 'price']);

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

async function read(content: string | Buffer, { size = 7, encoding }: { size?: number; encoding?: Encoding } = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const csv = await openCsv(decodeText(inParts(bytes, size), encoding), (header) => known.has(header));
  const rows: [line: number, ...cells: string[]][] = [];
  for await (const records of csv.records) for (const { line, cells } of records) rows.push([line, ...cells]);
  return { headers: csv.headers, separator: csv.separator, rows };
}

it.each([1, 3, 1000])('a file that comes in parts of %d bytes is read with the lines of its records', async (size) => {
  const text = 'slug,title\r\na,"x\ny"\n\n\r\nb,"p\r\nq\rz"\rc,"say ""ä🦊"""\nd,6" pipe\n';
  expect(await read(text, { size })).toEqual({
    headers: ['slug', 'title'],
    separator: ',',
    rows: [
      [2, 'a', 'x\ny'],
      [6, 'b', 'p\r\nq\rz'],
      [9, 'c', 'say "ä🦊"'],
      [10, 'd', '6" pipe'],
    ],
  });
});

it('the separator is the one that yields most known headers, or the one that the first line says', async () => {
  expect((await read('slug;"title, long";price\na;b;1,5\n')).separator).toBe(';');
  expect((await read('slug\ttitle\na\tb;c\n')).rows).toEqual([[2, 'a', 'b;c']]);
  expect((await read('slug|title\na|b\n')).rows).toEqual([[2, 'a', 'b']]);
  expect((await read('sep=;\nslug;x,y,z,1\na;b\n')).rows).toEqual([[3, 'a', 'b']]);
  expect((await read('slug\na\n\nb\n')).rows).toEqual([
    [2, 'a'],
    [4, 'b'],
  ]);
});

it('UTF-8 with a mark, UTF-16 and a named encoding are read, and a wrong byte is named', async () => {
  const text = 'slug,title\na,Töpfe €\n';
  const rows = [[2, 'a', 'Töpfe €']];
  expect((await read(`\ufeff${text}`)).rows).toEqual(rows);
  expect((await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).rows).toEqual(rows);
  expect((await read(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).rows).toEqual(rows);
  const windows = Buffer.from(text.replace('€', '\x80'), 'latin1');
  expect((await read(windows, { encoding: 'windows-1252' })).rows).toEqual(rows);
  await expect(read(windows, { size: 5 })).rejects.toThrow(/not UTF-8: byte 15 is 0xF6; .*--encoding windows-1252/);
  await expect(read(windows, { size: 1000 })).rejects.toThrow(/byte 15 is 0xF6/);
  // A byte that would begin a character, and the valid one after it.
  for (const size of [4, 1000]) {
    await expect(read(Buffer.from('slug\ncaf\xe9,1\n', 'latin1'), { size })).rejects.toThrow(/byte 9 is 0xE9/);
  }
  await expect(read(Buffer.concat([Buffer.from(text), Buffer.from([0xe2, 0x82])]))).rejects.toThrow(
    /within a character/,
  );
});

it.each([
  ['', /it is empty/],
  ['\n\n', /it is empty/],
  ['slug,Slug \na,b\n', /the column "Slug" twice/],
  ['slug,__proto__\na,b\n', /__proto__/],
  ['slug,attribute.__proto__\na,b\n', /__proto__/],
  [`${Array.from({ length: 1001 }, (_, i) => `c${i}`).join(',')}\n`, /1001 columns/],
  ['slug,title\na,b\nc,"open\nd,e\n', /line 3 is never closed/],
  [`slug,title\na,b\nc,"${'x'.repeat(4_300_000)}"\n`, /line 3 has more than/],
])('%# is refused with its reason', async (content, reason) => {
  await expect(read(content, { size: 65_536 })).rejects.toThrow(reason);
});

it('a line of JSON is an object or nothing, and has its number', async () => {
  const content = '{"slug":"a"}\n\n  \r\n{"slug":\n[1]\n"x"\n{"slug":"🦊"}';
  const found = [];
  for await (const records of readJsonLines(decodeText(inParts(Buffer.from(content), 3)))) {
    found.push(...records.map(({ line, number, value }) => ({ line, number, value })));
  }
  expect(found).toEqual([
    { line: 1, number: 1, value: { slug: 'a' } },
    { line: 4, number: 2, value: undefined },
    { line: 5, number: 3, value: undefined },
    { line: 6, number: 4, value: undefined },
    { line: 7, number: 5, value: { slug: '🦊' } },
  ]);
});

it('empty lines are passed by and counted, wherever they stand', async () => {
  const text = '\n\r\nslug,title\n\n\ra,"x\n\ny"\n\n\nb,c\n""\nd,e\n\n';
  for (const size of [1, 7, 1000]) {
    expect((await read(text, { size })).rows).toEqual([
      [6, 'a', 'x\n\ny'],
      [11, 'b', 'c'],
      [13, 'd', 'e'],
    ]);
    await expect(read(`${text}\n\n"open`, { size })).rejects.toThrow('the record at line 17 is never closed');
  }
});

it('blanks outside quotes are dropped and those within stay', async () => {
  const text = 'slug, title ,sku\r\na , "x, y" ,\t"z"\nb,"  in  ", o u t \n "c" ,"say ""hi""" ,6" pipe \n';
  for (const size of [1, 1000]) {
    expect(await read(text, { size })).toMatchObject({
      headers: ['slug', 'title', 'sku'],
      rows: [
        [2, 'a', 'x, y', 'z'],
        [3, 'b', '  in  ', 'o u t'],
        [4, 'c', 'say "hi"', '6" pipe'],
      ],
    });
  }
  expect((await read('slug\ttitle\tsku\n x \t "y" \t\t\n')).rows).toEqual([[2, 'x', 'y', '', '']]);
});

it('rows of empty cells or blanks are passed by, wherever they stand', async () => {
  const text = ';;\n  \n ; ;\nslug;title\n;\na;b\n ;\t\n"";" "\n   \nc;d\n;\n;;;\n';
  for (const size of [1, 7, 1000]) {
    expect(await read(text, { size })).toEqual({
      headers: ['slug', 'title'],
      separator: ';',
      rows: [
        [6, 'a', 'b'],
        [10, 'c', 'd'],
      ],
    });
  }
  await expect(read(',,\n , \n')).rejects.toThrow(/it is empty/);
});

it('what is written can be read, by Excel too', async () => {
  const cells = ['a,b', 'say "x"', 'l1\nl2', 'l1\r\nl2', ';', '\t', ' outer ', '', '1'];
  for (const excel of [false, true]) {
    const write = await openCsvWriter({ excel });
    const text = write([['slug', ...cells.slice(1).map((_, i) => `c${i}`)]]) + write([cells]);
    expect(text.startsWith('\ufeff')).toBe(excel);
    expect(text.endsWith(excel ? '\r\n' : '1\n')).toBe(true);
    if (excel) expect(text).toContain('"l1\nl2"');
    expect((await read(text)).rows).toEqual([[2, ...cells]]);
  }
});

it('lines of the last hundred thousands of texts are known again, and of no others', () => {
  const index = new LineIndex();
  for (let i = 1; i <= 100_000; i++) expect(index.note(`text ${i}`, i)).toBeUndefined();
  for (let i = 1; i <= 100_000; i += 7) expect(index.note(`text ${i}`, 5)).toBe(i);
  for (let i = 100_001; i <= 460_000; i++) index.note(`text ${i}`, i);
  for (let i = 100_001; i <= 460_000; i += 997) expect(index.note(`text ${i}`, 5)).toBe(i);
  expect(index.note('another', 9)).toBeUndefined();
  expect(index.note('another', 10)).toBe(9);
});
