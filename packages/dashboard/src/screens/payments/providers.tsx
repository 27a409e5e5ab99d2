import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { Icon } from '../../icons/icon.tsx';
import { Badge, Page, Shown, Time, useLoad } from '../../kit/index.ts';
import { type ProviderName, setups } from './setups.ts';
import { providerNames } from './words.tsx';

/** The available providers, and whether they are configured. */
export default function Providers() {
  const loaded = useLoad('providers', async (signal) => {
    return (await had(api.GET('/stores/{storeId}/payment-providers', { params: { path: at() }, signal }))).items;
  });
  return (
    <Page title="Payment providers" {...(can('payment.read') ? { back: { to: 'payments', label: 'Payments' } } : {})}>
      <Shown of={loaded} what="the providers" rows={3}>
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
                      <Badge>Not set up</Badge>
                    ) : found.settings === null ? (
                      <Badge tone="bad">Must be set up again</Badge>
                    ) : (
                      <Badge tone={found.hasPages ? 'good' : 'wait'}>
                        {found.hasPages ? 'Takes payments' : 'Receives payments'}
                      </Badge>
                    )}{' '}
                    {found?.testMode && <Badge tone="wait">Test mode</Badge>}
                  </p>
                  {found && (
                    <p class="quiet">
                      Changed <Time at={found.updatedAt} />
                    </p>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </Shown>
    </Page>
  );
}
