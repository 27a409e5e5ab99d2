import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The sample bodies lie beside the repository in the workplace it was written in, and nowhere else. */
const folderOf = (provider: string) => new URL(`../../../shared/payments/${provider}/`, import.meta.url);

export const haveSamplesOf = (provider: 'paypal' | 'square') => existsSync(folderOf(provider));

/** A sample body by its path, such as `refund.created.json`. */
export function sampleOf(provider: 'paypal' | 'square', path: string): string {
  return readFileSync(new URL(path, folderOf(provider)), 'utf8');
}

/** The bodies of events, the ones that were really sent among them. */
export function samplesOf(provider: 'paypal' | 'square'): string[] {
  if (!haveSamplesOf(provider)) return [];
  return ['', 'real/'].flatMap((folder) =>
    readdirSync(new URL(folder, folderOf(provider)))
      .filter((name) => name.endsWith('.json') && !/^(api\.|headers|signed-vector)/.test(name))
      .map((name) => `${folder}${name}`),
  );
}
