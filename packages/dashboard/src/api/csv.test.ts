import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('CSV runs nothing in a spreadsheet, and keeps numbers as numbers', () => {
  const rows = [
    ['Name', 'Net'],
    ['=HYPERLINK("x")', '-5.00'],
    ['-1+1', '12'],
    ['a "b", c\nd', '\t1'],
    ["'=1", '＝1'],
  ];
  expect(csvOf(rows)).toBe(
    '\uFEFFName,Net\r\n"\'=HYPERLINK(""x"")",-5.00\r\n\'-1+1,12\r\n"a ""b"", c\nd",\'\t1\r\n\'\'=1,\'＝1\r\n',
  );
});
