import { getSettings, rotateFeedToken, rotateOrderLinks, updateSettings } from '@commerce/core';
import { item, record, shownOnce } from './answers.ts';
import { type Route, route } from './router.ts';

export const settingsRoutes: readonly Route[] = [
  route('GET', '/settings', 'settings.read', {
    name: 'getSettings',
    summary: 'Get the settings of the store',
    answer: item('Settings'),
    run: getSettings,
  }),
  route('PUT', '/settings', 'settings.write', {
    name: 'updateSettings',
    summary: 'Change settings of the store: absent fields keep their values, shipping methods are replaced as a whole',
    description: 'Takes effect at once, in other processes within a second.',
    body: 'SettingsChanges',
    errors: ['conflict'],
    answer: item('Settings'),
    run: updateSettings,
  }),
  route('POST', '/settings/rotate-order-links', 'settings.write', {
    name: 'rotateOrderLinks',
    summary: "End all links to buyers' pages of orders that were sent so far",
    description: 'New mails and checkouts have new links.',
    // The token of the feeds is in it.
    answer: shownOnce(record('Settings'), 'feed'),
    run: rotateOrderLinks,
  }),
  route('POST', '/settings/rotate-feed-token', 'settings.write', {
    name: 'rotateFeedToken',
    summary: 'End the addresses of the product feeds, which get another token',
    description: 'The new one is `feed.token`. A repetition with the same `Idempotency-Key` leaves `feed` out.',
    answer: shownOnce(record('Settings'), 'feed'),
    run: rotateFeedToken,
  }),
];
