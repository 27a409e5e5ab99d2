/**
 * The GTIN in a barcode: 8, 12, 13 or 14 digits with a right check digit; null for anything else. Numbers that shops give out themselves
 * (beginning with 02, 04 or 2) and coupons (05, 98, 99) are none, by the General Specifications of GS1.
 */
export function gtinOf(barcode: string | null): string | null {
  const digits = barcode?.replace(/[\s-]/g, '') ?? '';
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || !hasRightCheck(digits)) return null;
  const whole = digits.padStart(14, '0');
  if (/^0+$/.test(whole)) return null;
  // Numbers of eight digits have prefixes of their own; of these, 0 and 2 are for use inside a shop.
  if (digits.length === 8) return /^[02]/.test(digits) ? null : digits;
  return /^.(?:0[245]|2|9[89])/.test(whole) ? null : digits;
}

/** From the right, each second digit counts three times; with the last digit the sum is a multiple of ten. */
function hasRightCheck(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const fromRight = digits.length - 1 - i;
    sum += Number(digits[i]) * (fromRight % 2 === 1 ? 3 : 1);
  }
  return sum % 10 === 0;
}
