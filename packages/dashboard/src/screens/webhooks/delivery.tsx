import { useEffect } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import { act, Button, Copy, Facts, Page, type ScreenProps, Section, Shown, Time, useLoad } from '../../kit/index.ts';
import { type Delivery, DeliveryState } from './parts.tsx';

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
    }, 'Sending again.');
  return (
    <Page
      title={delivery ? `Delivery of ${delivery.event}` : 'Delivery'}
      back={{ to: `webhooks/${id}`, label: 'Subscription' }}
      beside={delivery && <DeliveryState status={delivery.status} />}
      actions={
        delivery &&
        can('webhook.write') && (
          <Button kind="primary" icon="refresh" onClick={() => void resend()}>
            Send again
          </Button>
        )
      }
    >
      <Shown of={loaded} what="the delivery" rows={5}>
        {(one) => (
          <div class="columns">
            <Attempts delivery={one} />
            <div class="aside">
              <Section title="The event">
                <Facts
                  of={[
                    ['Type', one.event],
                    ['Queued', <Time key="q" at={one.createdAt} />],
                    ...(one.nextAttemptAt
                      ? [['Next attempt', <Time key="n" at={one.nextAttemptAt} />] as [string, preact.JSX.Element]]
                      : []),
                  ]}
                />
                <p class="ids-title quiet">Event id, the same in every attempt</p>
                <p class="event-id">
                  <code>{one.eventId}</code>
                  <Copy text={one.eventId} what="the id" />
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
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <p class="quiet">{status === 'cancelled' ? 'It was cancelled before the first attempt.' : 'None yet.'}</p>
      ) : (
        <ol class="attempts">
          {attempts.map(({ at: when, responseCode, latencyMs, error, responseBody }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they only ever grow
            <li key={i}>
              <p>
                <strong>
                  {i + 1}. {responseCode === null ? 'No answer' : `Answered ${responseCode}`}
                </strong>{' '}
                <span class="quiet">
                  <Time at={when} />, after {latencyMs.toLocaleString()} ms
                </span>
              </p>
              {error && error !== `answered ${responseCode}` && (
                <p class="reason" dir="auto">
                  {error}
                </p>
              )}
              {responseBody && (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer is scrolled, by keys too
                <pre class="answer" role="region" aria-label={`Response to attempt ${i + 1}`} tabIndex={0} dir="auto">
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
