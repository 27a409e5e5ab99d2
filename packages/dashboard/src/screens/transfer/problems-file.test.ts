import { expect, it } from 'vitest';
import { problemsFile } from './problems-file.ts';

it('The problems of an import are a CSV file that runs nothing in a spreadsheet', () => {
  const problem = { line: 3, column: 'price', value: '1,800 "net"', reason: 'is ambiguous' };
  const whole = { line: 12, column: null, value: null, reason: 'has too few cells' };
  const formula = { line: 13, column: '=HYPERLINK("x")', value: '+1', reason: 'is unknown' };
  expect(problemsFile([problem, whole, formula])).toBe(
    '\uFEFFLine,Column,Value,Reason\r\n' +
      '3,price,"1,800 ""net""",is ambiguous\r\n' +
      '12,,,has too few cells\r\n' +
      '13,"\'=HYPERLINK(""x"")",\'+1,is unknown\r\n',
  );
});
