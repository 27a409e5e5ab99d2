import { can } from '../../api/session.ts';
import { Empty, Page } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { BestSellers, FailingDeliveries, LowStock, ToSend, UnmatchedPayments } from './cards.tsx';
import { Sales } from './sales.tsx';
import { UnreadableSecrets } from './unreadable.tsx';

/** Today's work. Each part loads and fails on its own; a part that the key may not see is left out. */
export default function Overview() {
  const parts = [
    can('order.read') && <ToSend key="send" />,
    can('product.read') && <LowStock key="stock" />,
    can('payment.read') && <UnmatchedPayments key="payments" />,
    can('webhook.read') && <FailingDeliveries key="deliveries" />,
  ].filter(Boolean);
  return (
    <Page title={t.overview.title}>
      <UnreadableSecrets />
      {parts.length === 0 && (
        <Empty title={t.overview.noAccess} icon="lock">
          <p>{t.overview.noAccessHint}</p>
        </Empty>
      )}
      <div class="tiles">{parts}</div>
      {can('order.read') && <Sales />}
      {can('order.read') && <BestSellers />}
    </Page>
  );
}
