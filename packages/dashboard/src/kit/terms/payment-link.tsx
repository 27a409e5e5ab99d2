import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { t } from '../../words/words.ts';
import { ExternalLink } from '../text.tsx';
import { useLoad } from '../use-load.ts';
import { addressAt, providerNames, type Source } from './payment.ts';

/** A link to a payment at its provider. In test mode, if the key may see that, it leads to the test pages. */
export function PaymentLink({ provider, id }: { provider: Source; id: string }) {
  const loaded = useLoad(provider, async (signal) => {
    if (provider === 'manual' || !can('settings.read')) return false;
    const params = { path: at() };
    const { items } = await had(api.GET('/stores/{storeId}/payment-providers', { params, signal }));
    return items.some((one) => one.provider === provider && one.testMode === true);
  });
  const address = addressAt(provider, id, loaded.data ?? false);
  return address ? <ExternalLink to={address}>{t.payments.openAt(providerNames[provider])}</ExternalLink> : null;
}
