import { whoAmI } from '@commerce/core';
import { plain } from './answers.ts';
import { type Route, route } from './router.ts';

export const whoAmIRoutes: readonly Route[] = [
  route('GET', '/whoami', null, {
    name: 'whoAmI',
    summary: 'Get the store and the scopes of a key',
    description: 'For programs that only have a key.',
    answer: plain('WhoAmI'),
    run: whoAmI,
  }),
];
