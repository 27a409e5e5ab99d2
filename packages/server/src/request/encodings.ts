import type { Coding } from '../http.ts';

const choices = new Map<string, Coding | undefined>();

/**
 * The coding that an `Accept-Encoding` header prefers among those that are offered, the first of equal ones; undefined if it takes none of
 * them, or prefers the plain text.
 */
export function codingFor(header: string, offered: readonly Coding[]): Coding | undefined {
  const asked = `${offered.join()} ${header}`;
  if (choices.has(asked)) return choices.get(asked);
  const choice = choose(header, offered);
  // Clients send a handful of texts; an attacker with ever new ones must not fill the memory.
  if (choices.size >= 100) choices.clear();
  if (header.length <= 200) choices.set(asked, choice);
  return choice;
}

function choose(header: string, offered: readonly Coding[]): Coding | undefined {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...params] = part.split(';').map((text) => text.trim());
    const given = params.find((param) => param.startsWith('q='))?.slice(2);
    const weight = given === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 0;
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight);
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = Math.max(...offered.map(weightOf));
  if (best === 0 || best < (weights.get('identity') ?? 0)) return undefined;
  return offered.find((coding) => weightOf(coding) === best);
}
