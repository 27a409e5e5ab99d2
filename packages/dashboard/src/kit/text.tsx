import type { ComponentChildren } from 'preact';
import { who } from '../api/session.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../words/words.ts';
import { formatMoney } from './money.ts';
import { exactTime, formatAge, formatTime, type TimeForm } from './time.ts';

/** Zone in which times are shown: the shop's. */
export function timeZone(): string {
  return who.value?.store.timeZone || 'UTC';
}

/** Text from an outside person: shown as typed, in the direction of its script. */
export function UserText({ children, block }: { children: string | null | undefined; block?: boolean }) {
  if (!children) return null;
  return block ? (
    <p class="user-text" dir="auto">
      {children}
    </p>
  ) : (
    <bdi dir="auto">{children}</bdi>
  );
}

/** An amount in the format of its currency; the shop's currency by default. */
export function Money({ amount, currency }: { amount: string | null | undefined; currency?: string | null }) {
  if (amount === null || amount === undefined) return <span class="quiet">{t.kit.none}</span>;
  return <span class="money">{formatMoney(amount, currency ?? who.value?.store.currency ?? 'USD')}</span>;
}

/** A time in the zone of the shop; the tooltip shows it exactly, and in UTC. */
export function Time({ at, form = 'minute', age }: { at: string | null | undefined; form?: TimeForm; age?: boolean }) {
  if (!at) return <span class="quiet">{t.kit.none}</span>;
  const shown = age ? formatAge(at, Date.now()) : formatTime(at, timeZone(), form);
  return (
    <time dateTime={at} title={exactTime(at, timeZone())}>
      {shown}
    </time>
  );
}

export type Tone = 'good' | 'wait' | 'bad' | 'plain';

const signs = { good: 'check', wait: 'clock', bad: 'warning', plain: undefined } as const;

/** A state as a word with a sign, so that colour is never the only difference. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  const sign = signs[tone];
  return (
    <span class={`badge ${tone}`}>
      {sign && <Icon name={sign} />}
      {children}
    </span>
  );
}

/** An external link, if the address is one of the web or of mail; otherwise only its text. */
export function ExternalLink({ to, children }: { to: string | null | undefined; children?: ComponentChildren }) {
  const text = children ?? to;
  if (!to || !isSafe(to)) return <bdi>{text}</bdi>;
  if (to.startsWith('mailto:')) {
    return (
      <a href={to} class="external">
        <bdi>{text}</bdi>
      </a>
    );
  }
  return (
    <a href={to} target="_blank" rel="noopener noreferrer" class="external">
      <bdi>{text}</bdi>
      <Icon name="external" />
      <span class="unseen"> {t.kit.opensInNewTab}</span>
    </a>
  );
}

function isSafe(to: string): boolean {
  return URL.canParse(to) && ['https:', 'mailto:'].includes(new URL(to).protocol);
}
