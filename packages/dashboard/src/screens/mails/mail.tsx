import { useEffect, useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { href } from '../../browser/places.ts';
import { navigate } from '../../browser/router.ts';
import {
  Button,
  type Fact,
  Facts,
  Page,
  type ScreenProps,
  Section,
  Shown,
  Time,
  UserText,
  useLoad,
} from '../../kit/index.ts';
import { kindNames, lastCause, mailCause } from '../../kit/terms/mail.ts';
import { filled } from '../../words/filled.ts';
import { languageName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { LetterView } from './letter.tsx';
import { MailState, Recipient } from './parts.tsx';
import { ResendDialog } from './resend-dialog.tsx';

const words = t.mails;

type WholeMail = Schemas['WholeMail'];

/** Milliseconds between looks at a mail that is being sent, and the number of looks. */
const pause = 2000;
const maxLooks = 60;

/** One mail: how it reads, and how its sending went. */
export default function MailScreen({ params: { id = '' } }: ScreenProps) {
  const [isResending, setResending] = useState(false);
  const loaded = useLoad(id, async (signal) => {
    return (await had(api.GET('/stores/{storeId}/mails/{id}', { params: { path: at({ id }) }, signal }))).item;
  });
  const mail = loaded.data;
  const isUnderWay = mail?.status === 'pending';
  const { reload } = loaded;
  useEffect(() => {
    if (!isUnderWay) return;
    let looks = 0;
    const timer = setInterval(() => (looks++ < maxLooks ? reload() : clearInterval(timer)), pause);
    return () => clearInterval(timer);
  }, [isUnderWay, reload]);
  const isEmptied = mail?.text === null && !isUnderWay;
  return (
    <Page
      title={mail ? kindNames[mail.kind] : words.one}
      back={{ to: 'mails', label: words.title }}
      beside={mail && <MailState status={mail.status} />}
      actions={
        mail &&
        can('mail.write') &&
        !isEmptied && (
          <Button
            kind={mail.status === 'failed' ? 'primary' : 'plain'}
            icon="refresh"
            onClick={() => setResending(true)}
          >
            {words.resend.action}
          </Button>
        )
      }
    >
      <Shown of={loaded} what={words.the} rows={6}>
        {(one) => (
          <div class="columns">
            <Letter mail={one} />
            <div class="aside">
              <Section title={words.about}>
                <Facts of={factsOf(one)} />
              </Section>
            </div>
            <Attempts mail={one} />
          </div>
        )}
      </Shown>
      {mail && isResending && (
        <ResendDialog
          mail={mail}
          onDone={(next) => {
            setResending(false);
            void navigate(`mails/${next.id}`);
          }}
          onClose={() => setResending(false)}
        />
      )}
    </Page>
  );
}

function Letter({ mail: { subject, text, html, attachments, status } }: { mail: WholeMail }) {
  return (
    <Section title={words.letter}>
      {subject !== null && (
        <p class="letter-subject">
          <UserText>{subject}</UserText>
        </p>
      )}
      {text === null ? (
        <p class="quiet">{status === 'pending' ? words.unwritten : words.emptied}</p>
      ) : (
        <LetterView text={text} html={html} />
      )}
      {attachments.length > 0 && (
        <>
          <h3>{words.attached}</h3>
          {attachments.map(({ filename, content }) => (
            <details key={filename}>
              <summary>
                <UserText>{filename}</UserText>
              </summary>
              <UserText block>{content}</UserText>
            </details>
          ))}
        </>
      )}
    </Section>
  );
}

function factsOf({ to, locale, orderId, withdrawalId, resentOf, createdAt, sentAt, nextAttemptAt }: WholeMail): Fact[] {
  const link = (to: string, text: string) => (
    <a key={to} href={href(to)}>
      {text}
    </a>
  );
  return [
    [words.to, <Recipient key="t" to={to} />],
    [words.language, languageName(locale)],
    ...(orderId ? [[words.order, link(`orders/${orderId}`, words.toOrder)] as Fact] : []),
    ...(withdrawalId ? [[words.withdrawal, link(`withdrawals/${withdrawalId}`, words.toWithdrawal)] as Fact] : []),
    ...(resentOf ? [[words.repeats, link(`mails/${resentOf}`, words.toFirst)] as Fact] : []),
    [words.created, <Time key="c" at={createdAt} />],
    ...(sentAt ? [[words.sentAt, <Time key="s" at={sentAt} />] as Fact] : []),
    ...(nextAttemptAt ? [[words.next, <Time key="n" at={nextAttemptAt} />] as Fact] : []),
  ];
}

function Attempts({ mail }: { mail: WholeMail }) {
  const { attempts, status } = mail;
  return (
    <Section title={words.attempts}>
      {status === 'failed' && attempts.length > 0 && (
        <p>
          <strong>{words.statuses.failed}:</strong> {lastCause(mail)}
        </p>
      )}
      {attempts.length === 0 ? (
        <p class="quiet">{words.noAttempts}</p>
      ) : (
        <ol class="attempts">
          {attempts.map(({ at: when, latencyMs, error, response, responseCode }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they only ever grow
            <li key={i}>
              <p>
                <strong>{words.attempt(i + 1, error === null ? words.taken : words.refused)}</strong>{' '}
                <span class="quiet">{filled(words.when(latencyMs), { time: <Time at={when} /> })}</span>
              </p>
              {error !== null && <p>{mailCause(error, responseCode)}</p>}
              {(error ?? response) && (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled, by keys too
                <pre class="answer" role="region" aria-label={words.answer(i + 1)} tabIndex={0} dir="auto">
                  {error ?? response}
                </pre>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
