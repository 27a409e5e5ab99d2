import { expect, it } from 'vitest';
import type { Schemas } from '../../api/types.ts';
import { type Newest, stateOf } from './mail-state.ts';

const now = Date.parse('2026-11-26T12:00:00.000Z');
const mail = (id: string, createdAt: string, resentOf: string | null = null): Newest => ({ id, createdAt, resentOf });
const settings = (changes: object) =>
  ({ from: null, smtp: null, kinds: { 'order.confirmed': true }, ...changes }) as Schemas['Settings']['mail'];

it('tells that mail is missing only if a kind is on and nothing can be sent', () => {
  const isMissing = (of: Schemas['Settings']['mail'] | undefined) => stateOf(of, [], [], now).isMissing;
  expect(isMissing(settings({}))).toBe(true);
  expect(isMissing(settings({ from: 'shop@example.com' }))).toBe(true);
  expect(isMissing(settings({ from: 'shop@example.com', smtp: { host: 'smtp.example.com' } }))).toBe(false);
  expect(isMissing(settings({ kinds: { 'order.confirmed': false } }))).toBe(false);
  expect(isMissing(undefined)).toBe(false);
});

it('counts the mails of a week that were not sent, and not sent again', () => {
  const failed = [
    mail('c', '2026-11-26T11:00:00.000Z'),
    mail('b', '2026-11-25T11:00:00.000Z'),
    mail('a', '2026-11-01T11:00:00.000Z'),
  ];
  expect(stateOf(undefined, failed, [], now).failed).toBe(2);
  expect(stateOf(undefined, failed, [mail('d', '2026-11-26T11:30:00.000Z', 'b'), ...failed], now).failed).toBe(1);
});
