import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '@commerce/core';
import { expect, it } from 'vitest';
import { en } from '../packages/dashboard/src/words/en.ts';

const core = join(import.meta.dirname, '../packages/core/src');

it('The dashboard has words for each event and for each action of the audit log', () => {
  const written = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(core, file), 'utf8').matchAll(/\baction: '(\w+\.\w+)'/g)])
    .map(([, action]) => action as string);
  expect(written.length).toBeGreaterThan(20);
  const { actions, resources, verbs } = en.audit;
  const without = [...eventTypes, ...written].filter((action) => {
    const [resource = '', verb = ''] = action.split('.');
    return !Object.hasOwn(actions, action) && !(Object.hasOwn(resources, resource) && Object.hasOwn(verbs, verb));
  });
  expect(without).toEqual([]);
});
