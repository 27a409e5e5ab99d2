/** Values to try a provider out with, beside an `--api-base` on this machine. */
const trial = {
  paypal: '--client-id test --client-secret test --webhook-id test',
  square: '--signature-key … --notification-url … --access-token test',
} as const;

/** Ways out of errors at the command line, by core's message: core knows what is wrong, not what its caller would type. */
const hints: readonly (readonly [message: RegExp, hint: (...groups: string[]) => string])[] = [
  [/^there is no store yet$/, () => '`commerce init` creates one'],
  [
    /^cannot open the database .*: there is no such file$/,
    () => '`commerce init` creates one, and so does `commerce serve`',
  ],
  [/has no tables of Commerce yet$/, () => '`commerce init` creates them, and so does `commerce serve`'],
  [/lacks the migrations /, () => '`commerce migrate` carries them out, and so does `commerce serve`'],
  [/^store: is required, because the database has several stores$/, () => '`commerce stores list` shows them'],
  [/^(\w+) is not configured:/, (provider) => configure(provider)],
  [/^provider: (\w+) is not configured in this store$/, (provider) => configure(provider)],
  [/^items: .*makeOrders is off in the (\w+) settings/, (provider) => configure(provider, '--make-orders')],
  [/^items: .*the settings need an accessToken$/, () => configure('square', '--access-token …')],
  [
    /^provider: (paypal|square) asks /,
    (provider) =>
      configure(provider, `${trial[provider as keyof typeof trial]} --api-base http://127.0.0.1:8765`, 'does that'),
  ],
  [/its setting manualPayments is false$/, () => '`commerce settings update --manual-payments` switches them on'],
  [/switch it on first with isActive: true$/, () => '`commerce webhooks update … --is-active yes` does that'],
  [/^secretKey: /, () => 'it is the value of COMMERCE_SECRET_KEY'],
  [/; a simulation would replace these settings$/, () => 'with `--replace`, it does'],
  [/no secret key to read them with$/, () => 'set COMMERCE_SECRET_KEY to the key that they were encrypted with'],
  [
    /encrypted with another secret key$/,
    () => 'set COMMERCE_SECRET_KEY to that key, or COMMERCE_SECRET_KEY_PREVIOUS while it is being replaced',
  ],
  [
    /\b([\d.]+|[\da-f:]*:[\da-f:.]*) is an? .* address, and requests to those are refused/,
    (address) =>
      `\`commerce serve --webhook-allow ${address}/${address.includes(':') ? 128 : 32}\` lets this one through`,
  ],
];

function configure(provider: string, options = '', verb = 'sets it up'): string {
  return `\`commerce payments configure --provider ${provider}${options && ` ${options}`}\` ${verb}`;
}

/** The command, flag or variable that helps with an error; undefined where the message says enough. */
export function hintFor(message: string): string | undefined {
  for (const [pattern, hint] of hints) {
    const [found, ...groups] = pattern.exec(message) ?? [];
    if (found !== undefined) return hint(...groups);
  }
  return undefined;
}
