// A tax rate is a fraction in the interface, and per cent for people. Digits are moved, so that no float is involved.

/** `"0.19"` as per cent: `"19"`. */
export function percentOf(rate: string): string {
  const [whole = '0', part = ''] = rate.split('.');
  const digits = part.padEnd(2, '0');
  const left = (whole + digits.slice(0, 2)).replace(/^0+(?=\d)/, '');
  const right = digits.slice(2).replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}

/** `"8.1"` per cent as a fraction: `"0.081"`; undefined if it is not a percentage up to 100. */
export function rateOf(percent: string): string | undefined {
  const text = percent.trim().replace(/\s*%$/, '').replace(',', '.');
  if (!/^\d{1,3}(\.\d{1,6})?$/.test(text)) return undefined;
  const [whole = '0', part = ''] = text.split('.');
  const digits = whole.padStart(3, '0') + part;
  const rate = `${digits.slice(0, -2 - part.length)}.${digits.slice(-2 - part.length)}`
    .replace(/^0+(?=\d)/, '')
    .replace(/\.?0+$/, '');
  return Number(text) > 100 ? undefined : rate === '' ? '0' : rate;
}
