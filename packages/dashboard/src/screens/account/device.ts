const browsers: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
];

const systems: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system in words, such as "Firefox, Windows", from what a browser says of itself; undefined if it names neither. */
export function deviceOf(agent: string): string | undefined {
  const named = [browsers, systems].map((of) => of.find(([, sign]) => sign.test(agent))?.[0]).filter(Boolean);
  return named.length === 0 ? undefined : named.join(', ');
}
