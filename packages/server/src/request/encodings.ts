import type { Coding } from '../http.ts';

const verdicts = new Map<string, boolean>();

/** True if an `Accept-Encoding` header accepts gzip and does not prefer the plain text. */
export function acceptsGzip(header: string): boolean {
  return accepts(header, 'gzip');
}

/** True if an `Accept-Encoding` header accepts a coding and does not prefer the plain text. */
export function accepts(header: string, coding: Coding): boolean {
  const asked = `${coding} ${header}`;
  const known = verdicts.get(asked);
  if (known !== undefined) return known;
  const verdict = readVerdict(header, coding);
  // Clients send a handful of texts; an attacker with ever new ones must not fill the memory.
  if (verdicts.size >= 100) verdicts.clear();
  if (header.length <= 200) verdicts.set(asked, verdict);
  return verdict;
}

function readVerdict(header: string, wanted: Coding): boolean {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...params] = part.split(';').map((text) => text.trim());
    const given = params.find((param) => param.startsWith('q='))?.slice(2);
    const weight = given === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 0;
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight);
  }
  const own = weights.get(wanted) ?? weights.get('*') ?? 0;
  return own > 0 && own >= (weights.get('identity') ?? 0);
}
