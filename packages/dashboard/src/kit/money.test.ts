import { describe, expect, it } from 'vitest';
import { decimalsOf, formatMoney, fromMinorUnits, minorUnits } from './money.ts';

describe('money', () => {
  it('is shown in the form of its currency, digit by digit', () => {
    expect(formatMoney('1234.50', 'EUR', ['en'])).toBe('€1,234.50');
    expect(formatMoney('1234', 'JPY', ['en'])).toBe('¥1,234');
    expect(formatMoney('0.1', 'USD', ['en'])).toBe('$0.10');
    // More digits than a float holds.
    expect(formatMoney('90071992547409931.23', 'USD', ['en'])).toBe('$90,071,992,547,409,931.23');
  });

  it('is counted in units of its last place', () => {
    expect(minorUnits('12.3', 2)).toBe(1230n);
    expect(minorUnits('-0.05', 2)).toBe(-5n);
    expect(minorUnits('7', 0)).toBe(7n);
    expect(fromMinorUnits(5n, 2)).toBe('0.05');
    expect(fromMinorUnits(-1230n, 2)).toBe('-12.30');
    expect(fromMinorUnits(7n, 0)).toBe('7');
    expect(decimalsOf('JPY')).toBe(0);
    expect(decimalsOf('KWD')).toBe(3);
  });
});
