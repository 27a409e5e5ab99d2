import type { Desk, Waiting } from '../../api/desk.ts';
import { href } from '../../browser/places.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { Section, Time } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { formatList } from '../../words/forms.ts';
import { t } from '../../words/words.ts';

interface Kind {
  /** The list with exactly these. */
  to: string;
  icon: IconName;
  /** Whether it is a fault, not only work. */
  isFault?: true;
  /** Counts stop here: this many, or more. */
  most?: number;
}

/** What can wait, the most important first. */
const kinds: Record<Waiting, Kind> = {
  toSend: { to: 'orders', icon: 'truck' },
  unpaidOffline: { to: 'orders?tab=money', icon: 'clock', most: 1000 },
  toRefund: { to: 'orders?tab=refund', icon: 'refresh', most: 1000 },
  openWithdrawals: { to: 'withdrawals', icon: 'return', most: 1000 },
  openDisputes: { to: 'payments?tab=disputes', icon: 'warning', isFault: true },
  unmatchedPayments: { to: 'payments', icon: 'payments', isFault: true },
  failedPayments: { to: 'orders?tab=trouble', icon: 'warning', isFault: true },
  failedDeliveries: { to: 'webhooks?tab=failed', icon: 'webhooks', isFault: true, most: 1000 },
  failedMails: { to: 'mails?tab=failed', icon: 'mail', isFault: true, most: 1000 },
  lowStock: { to: 'products?lowStock=true', icon: 'products', most: 1000 },
};

const { waits } = t.home;
/** Work that many shops never have. */
type Rare = 'unpaidOffline' | 'openWithdrawals' | 'failedMails';
/** Names for the sentence about the others. */
const quiet: Record<Exclude<Waiting, Rare>, string> & { [Name in Rare]?: undefined } = t.home.quiet;

const isPast = (time: string) => Date.parse(time) < Date.now();

/** A line for each kind of work that waits; the others in one sentence. */
export function WhatWaits({ desk }: { desk: Desk }) {
  const seen = (Object.entries(kinds) as [Waiting, Kind][]).flatMap(([name, kind]) => {
    const count = desk[name];
    return count === null ? [] : [{ name, count, ...kind }];
  });
  if (seen.length === 0) return null;
  const waiting = seen.filter(({ count }) => count > 0);
  const idle = seen.flatMap(({ name, count }) => (count === 0 && quiet[name]) || []);
  return (
    <Section title={t.home.waiting}>
      <ul class="waits">
        {waiting.map(({ name, count, to, icon, isFault, most }) => (
          <li key={name} class={isFault ? 'fault' : ''}>
            <a href={href(to)}>
              <Icon name={icon} />
              <span>
                {count === most ? t.home.atLeast(waits[name](count)) : waits[name](count)}
                {name === 'openDisputes' && desk.nextDisputeDueAt !== null && (
                  <span class="quiet due">
                    {filled(t.home.answerBy, { time: <Time at={desk.nextDisputeDueAt} /> })}
                  </span>
                )}
                {name === 'openWithdrawals' && desk.nextWithdrawalDueAt !== null && (
                  <span class="quiet due">
                    {filled(isPast(desk.nextWithdrawalDueAt) ? t.home.refundLate : t.home.refundBy, {
                      time: <Time at={desk.nextWithdrawalDueAt} form="day" />,
                    })}
                  </span>
                )}
              </span>
              <Icon name="next" />
            </a>
          </li>
        ))}
      </ul>
      {idle.length > 0 && (
        <p class="quiet idle">
          {waiting.length > 0 ? t.home.nothingElse(formatList(idle)) : t.home.nothing(formatList(idle))}
        </p>
      )}
    </Section>
  );
}
