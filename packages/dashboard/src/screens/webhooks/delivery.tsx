import { useEffect } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import { act, Button, Copy, Facts, Page, type ScreenProps, Section, Shown, Time, useLoad } from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { type Delivery, DeliveryState, EventName } from './parts.tsx';

const words = t.webhooks.deliveries;

/** Milliseconds between checks of a running delivery, and the number of checks. */
const pause = 1500;
const maxLooks = 60;

/** One delivery: each attempt with its answer. */
export default function DeliveryScreen({ params: { id = '', deliveryId = '' } }: ScreenProps) {
  const path = at({ id, deliveryId });
  const loaded = useLoad(deliveryId, async (signal) => {
    const call = api.GET('/stores/{storeId}/webhooks/{id}/deliveries/{deliveryId}', { params: { path }, signal });
    return (await had(call)).item;
  });
  const delivery = loaded.data;
  const isUnderWay = delivery?.status === 'pending';
  const { reload } = loaded;
  useEffect(() => {
    if (!isUnderWay) return;
    let looks = 0;
    const timer = setInterval(() => (looks++ < maxLooks ? reload() : clearInterval(timer)), pause);
    return () => clearInterval(timer);
  }, [isUnderWay, reload]);
  const resend = () =>
    act(async () => {
      const { item: next } = await had(
        api.POST('/stores/{storeId}/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params: { path } }),
      );
      if (next.id === deliveryId) reload();
      else await navigate(`webhooks/${id}/deliveries/${next.id}`);
    }, words.sending);
  return (
    <Page
      title={delivery ? words.title(actionWords(delivery.event)) : words.one}
      back={{ to: `webhooks/${id}`, label: t.webhooks.one }}
      beside={delivery && <DeliveryState status={delivery.status} />}
      actions={
        delivery &&
        can('webhook.write') && (
          <Button kind="primary" icon="refresh" onClick={() => void resend()}>
            {words.again}
          </Button>
        )
      }
    >
      <Shown of={loaded} what={words.the} rows={5}>
        {(one) => (
          <div class="columns">
            <div>
              <Attempts delivery={one} />
              <Body text={one.body} />
            </div>
            <div class="aside">
              <Section title={words.about}>
                <Facts
                  of={[
                    [words.event, <EventName key="e" event={one.event} />],
                    [words.queued, <Time key="q" at={one.createdAt} />],
                    ...(one.nextAttemptAt
                      ? [[words.nextAttempt, <Time key="n" at={one.nextAttemptAt} />] as [string, preact.JSX.Element]]
                      : []),
                  ]}
                />
                <p class="ids-title quiet">{words.eventId}</p>
                <p class="event-id">
                  <code>{one.eventId}</code>
                  <Copy text={one.eventId} what={words.id} />
                </p>
              </Section>
            </div>
          </div>
        )}
      </Shown>
    </Page>
  );
}

function Attempts({ delivery: { attempts, status } }: { delivery: Delivery }) {
  return (
    <Section title={words.attempts}>
      {attempts.length === 0 ? (
        <p class="quiet">{status === 'cancelled' ? words.noneCancelled : words.noneYet}</p>
      ) : (
        <ol class="attempts">
          {attempts.map(({ at: when, responseCode, latencyMs, error, responseBody }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they only ever grow
            <li key={i}>
              <p>
                <strong>
                  {words.attempt(i + 1, responseCode === null ? words.noResponse : words.response(responseCode))}
                </strong>{' '}
                <span class="quiet">{filled(words.when(latencyMs), { time: <Time at={when} /> })}</span>
              </p>
              {error && error !== `answered ${responseCode}` && (
                <p class="reason" dir="auto">
                  {error}
                </p>
              )}
              {responseBody && (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled, by keys too
                <pre class="answer" role="region" aria-label={words.answer(i + 1)} tabIndex={0} dir="auto">
                  {responseBody}
                </pre>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

/** The body of the request. */
function Body({ text }: { text: string | null }) {
  return (
    <Section title={words.body} actions={text !== null && <Copy text={text} what={words.theBody} />}>
      {text === null ? (
        <p class="quiet">{words.noBody}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long body is scrolled, by keys too
        <pre class="answer" role="region" aria-label={words.formatted} tabIndex={0} dir="auto">
          {indented(text)}
        </pre>
      )}
    </Section>
  );
}

/** JSON with a line for each value, which people can read. What is copied are the bytes that were sent. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
