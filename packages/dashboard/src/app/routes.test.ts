import { expect, it } from 'vitest';
import { routes } from './routes.ts';

it('have each a path, and in the navigation a key and a sign, of their own', () => {
  const shown = routes.flatMap(({ nav }) => nav ?? []);
  for (const all of [routes.map(({ path }) => path), shown.map(({ key }) => key), shown.map(({ icon }) => icon)]) {
    expect(new Set(all).size).toBe(all.length);
  }
  expect(shown.length).toBeGreaterThan(10);
});
