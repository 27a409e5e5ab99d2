import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { Icon, type IconName } from '../../icons/icon.tsx';
import { Badge, Button, Money, Section, Shown, Time, type Tone, UserText, useLoad } from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import type { Mail } from '../../kit/terms/mail.ts';
import { isSource, methodOf, providerNames } from '../../kit/terms/payment.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { readKeys } from '../keys/names.ts';
import { MailTold } from '../mails/parts.tsx';
import { ResendDialog } from '../mails/resend-dialog.tsx';

type Entry = Schemas['TimelineEntry'];

const { history } = t.orders;
const actors: Record<Schemas['AuditLog']['actorType'], string> = history.actors;
const paymentStatus: Record<Schemas['Payment']['status'], string> = history.paymentStatus;
const deliveryStatus: Record<Schemas['Delivery']['status'], string> = history.deliveryStatus;
const deliveryTone: Record<Schemas['Delivery']['status'], Tone> = {
  pending: 'wait',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

/** Signs of entries that are not changes, and of changes by their verb. */
const signs: Record<Exclude<Entry['kind'], 'audit'>, IconName> = {
  payment: 'payments',
  refund: 'back',
  delivery: 'webhooks',
  mail: 'mail',
  withdrawal: 'return',
  invoice: 'invoice',
};
const signsOfVerbs: Partial<Record<keyof typeof t.audit.verbs, IconName>> = {
  created: 'orders',
  updated: 'edit',
  paid: 'payments',
  recorded: 'payments',
  applied: 'payments',
  shipped: 'truck',
  fulfilled: 'truck',
  delivered: 'check',
  cancelled: 'close',
  refunded: 'back',
  reopened: 'refresh',
};

/** Actors with a name of their own, for a session that may read it. */
const named: ReadonlySet<Schemas['AuditLog']['actorType']> = new Set(['user', 'apiKey']);

/** Milliseconds between looks while a mail is being sent for the first time, and the number of looks. */
const pause = 3000;
const maxLooks = 20;

/** History of the order, the newest event first. */
export function Timeline({ id, turn }: { id: string; turn: number }) {
  const loaded = useLoad(
    id,
    async (signal) => {
      const call = api.GET('/stores/{storeId}/orders/{id}/timeline', { params: { path: at({ id }) }, signal });
      const { items } = await had(call);
      const isNamed = items.some((one) => one.kind === 'audit' && named.has(one.audit.actorType));
      return { items, names: isNamed ? await readKeys(signal) : new Map<string, { name: string }>() };
    },
    String(turn),
  );
  const [resent, setResent] = useState<Mail>();
  const looks = useRef(0);
  const isSending = loaded.data?.items.some(
    (one) => one.kind === 'mail' && one.mail.status === 'pending' && one.mail.attempts.length === 0,
  );
  const { reload } = loaded;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look ends with other data
  useEffect(() => {
    if (!isSending) looks.current = 0;
    if (!isSending || looks.current >= maxLooks) return;
    const timer = setTimeout(() => {
      looks.current++;
      reload();
    }, pause);
    return () => clearTimeout(timer);
  }, [isSending, loaded.data, reload]);
  return (
    <Section title={history.title}>
      <Shown of={loaded} what={history.what} rows={4}>
        {({ items, names }) =>
          items.length === 0 ? (
            <p class="quiet">{history.none}</p>
          ) : (
            <ol class="timeline">
              {[...items].reverse().map((entry, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: not every entry has an id
                <li key={i}>
                  <span class="sign">
                    <Icon name={signOf(entry)} />
                  </span>
                  <span class="told">
                    <span>{told(entry)}</span>
                    <span class="quiet">
                      <Time at={entry.at} />
                      {entry.kind === 'audit' && <> · {filled(history.by, { actor: actorOf(entry.audit, names) })}</>}
                    </span>
                    {entry.kind === 'mail' && entry.mail.to !== '' && can('mail.write') && (
                      <span>
                        <Button kind="quiet" onClick={() => setResent(entry.mail)}>
                          {t.mails.resend.action}
                        </Button>
                      </span>
                    )}
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Shown>
      {resent && (
        <ResendDialog
          mail={resent}
          onDone={() => {
            setResent(undefined);
            reload();
          }}
          onClose={() => setResent(undefined)}
        />
      )}
    </Section>
  );
}

function signOf(entry: Entry): IconName {
  if (entry.kind !== 'audit') return signs[entry.kind];
  const verb = entry.audit.action.split('.')[1] ?? '';
  return Object.hasOwn(signsOfVerbs, verb) ? (signsOfVerbs[verb as keyof typeof signsOfVerbs] ?? 'info') : 'info';
}

/** The actor; a provider by its name. */
function actorOf({ actorType, actorId }: Schemas['AuditLog'], names: ReadonlyMap<string, { name: string }>): string {
  const name = named.has(actorType) ? names.get(actorId ?? '')?.name : undefined;
  if (name) return name;
  return actorType === 'provider' && isSource(actorId) ? providerNames[actorId] : actors[actorType];
}

/** An entry in words. */
function told(entry: Entry): ComponentChildren {
  switch (entry.kind) {
    case 'audit': {
      const { action, changes } = entry.audit;
      if (action !== 'order.updated') return <strong>{actionWords(action)}</strong>;
      const fields: Record<string, string> = history.changed;
      const [only, ...others] = Object.keys(changes).filter((field) => Object.hasOwn(fields, field));
      // Its values are the time before and the time now.
      const { to } = (changes.deliveredAt ?? {}) as { to?: unknown };
      if (only === 'deliveredAt' && to === null) return <strong>{history.notDelivered}</strong>;
      return <strong>{only !== undefined && others.length === 0 ? fields[only] : actionWords(action)}</strong>;
    }
    case 'payment': {
      const { provider, method, amount, currency, status } = entry.payment;
      return filled(history.payment, {
        amount: <Money amount={amount} currency={currency} />,
        provider: methodOf(provider, method),
        status: paymentStatus[status],
      });
    }
    case 'refund':
      return filled(entry.refund.kind === 'dispute' ? history.takenBack : history.refunds[entry.refund.status], {
        amount: <Money amount={entry.refund.amount} />,
      });
    case 'withdrawal': {
      const { id, name } = entry.withdrawal;
      return (
        <a href={href(`withdrawals/${id}`)}>
          {name === '' ? t.withdrawals.one : filled(t.withdrawals.told, { name: <UserText>{name}</UserText> })}
        </a>
      );
    }
    case 'invoice':
      return filled(history.invoices[entry.invoice.kind], {
        number: <UserText>{entry.invoice.number}</UserText>,
        amount: <Money amount={entry.invoice.total} currency={entry.invoice.currency} />,
      });
    case 'mail':
      return <MailTold mail={entry.mail} />;
    case 'delivery': {
      const { event, status, attempts } = entry.delivery;
      return (
        <>
          {filled(history.delivery, { event: actionWords(event) })}{' '}
          <Badge tone={deliveryTone[status]}>{deliveryStatus[status]}</Badge>
          {attempts.length > 1 && <span class="quiet"> {history.attempts(attempts.length)}</span>}
        </>
      );
    }
  }
}
