import { api, had } from '../../api/client.ts';
import { can, currentStore } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { type ProviderName, providerNames } from '../payments/words.tsx';

/** Names the secrets of the store that the service cannot decrypt. If an application does not answer `/readyz` here, it shows none. */
export function UnreadableSecrets() {
  const loaded = useLoad(
    'secrets',
    async (signal) => (await had(api.GET('/readyz', { signal }))).unreadableSecrets ?? [],
  );
  const own = (loaded.data ?? []).filter(({ storeId }) => storeId === currentStore());
  if (own.length === 0) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{t.overview.unreadable.text}</p>
      <ul>
        {own.map(({ of }) => {
          const { name, to, scope } = placeOf(of);
          return <li key={of}>{can(scope) ? <a href={href(to)}>{name}</a> : name}</li>;
        })}
      </ul>
    </div>
  );
}

function placeOf(of: string) {
  if (Object.hasOwn(providerNames, of)) {
    const name = providerNames[of as ProviderName];
    return { name, to: `payments/providers/${of}`, scope: 'settings.read' } as const;
  }
  const id = of.replace(/^webhook /, '');
  return { name: t.overview.unreadable.webhook(id), to: `webhooks/${id}`, scope: 'webhook.read' } as const;
}
