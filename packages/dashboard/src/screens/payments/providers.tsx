import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Icon } from '../../icons/icon.tsx';
import { Badge, Page, Shown, Time, useLoad } from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { type ProviderName, setups } from './setups.ts';

const words = t.payments.providers;

/** The available providers, and whether they are configured. */
export default function Providers() {
  const loaded = useLoad('providers', async (signal) => {
    return (await had(api.GET('/stores/{storeId}/payment-providers', { params: { path: at() }, signal }))).items;
  });
  return (
    <Page title={words.title} {...(can('payment.read') ? { back: { to: 'payments', label: t.payments.title } } : {})}>
      <Shown of={loaded} what={words.the} rows={3}>
        {(items) => (
          <ul class="providers">
            {(Object.keys(setups) as ProviderName[]).map((name) => {
              const found = items.find(({ provider }) => provider === name);
              return (
                <li key={name} class="card">
                  <a href={href(`payments/providers/${name}`)}>
                    <h2>{providerNames[name]}</h2>
                    <Icon name="next" />
                  </a>
                  <p>
                    {!found ? (
                      <Badge>{words.notSetUp}</Badge>
                    ) : found.settings === null ? (
                      <Badge tone="bad">{words.setUpAgain}</Badge>
                    ) : (
                      <Badge tone={found.hasPages ? 'good' : 'wait'}>
                        {found.hasPages ? words.takes : words.receives}
                      </Badge>
                    )}{' '}
                    {found?.testMode && <Badge tone="wait">{words.testMode}</Badge>}
                  </p>
                  {found && <p class="quiet">{filled(words.changed, { time: <Time at={found.updatedAt} /> })}</p>}
                </li>
              );
            })}
          </ul>
        )}
      </Shown>
    </Page>
  );
}
