import type { ApiKeyTable, SignInCodeTable } from '../api-keys/table.ts';
import type { AuditLogTable } from '../audit/table.ts';
import type { CategoryRemovalTable, CategoryTable } from '../categories/table.ts';
import type { CheckoutTable } from '../checkouts/table.ts';
import type { CustomerTable } from '../customers/table.ts';
import type { AppSubscriberTable, DeliveryTable } from '../deliveries/table.ts';
import type { DiscountTable } from '../discounts/table.ts';
import type { EventTable } from '../events/table.ts';
import type { IdempotentRequestTable } from '../idempotency/table.ts';
import type { MediaTable, MediaUseTable } from '../media/table.ts';
import type { OrderTable } from '../orders/table.ts';
import type { PageTable } from '../pages/table.ts';
import type {
  PaymentNotificationTable,
  PaymentProviderTable,
  PaymentRefTable,
  PaymentRefundTable,
  PaymentTable,
} from '../payments/table.ts';
import type { ProductFacetTable, ProductTable, ReservationTable } from '../products/table.ts';
import type { ListCountTable, SequenceTable } from '../resources/table.ts';
import type { RateLimitTable, StoreTable } from '../stores/table.ts';
import type { ImportImageTable, ImportTable } from '../transfer/table.ts';
import type { WebhookEventTable, WebhookTable } from '../webhooks/table.ts';

/** Every table with its row as stored; each domain declares its own rows. */
export interface Schema {
  stores: StoreTable;
  rate_limits: RateLimitTable;
  idempotent_requests: IdempotentRequestTable;
  api_keys: ApiKeyTable;
  sign_in_codes: SignInCodeTable;
  products: ProductTable;
  product_facets: ProductFacetTable;
  categories: CategoryTable;
  category_removals: CategoryRemovalTable;
  pages: PageTable;
  media: MediaTable;
  media_uses: MediaUseTable;
  customers: CustomerTable;
  orders: OrderTable;
  discounts: DiscountTable;
  reservations: ReservationTable;
  checkouts: CheckoutTable;
  payment_providers: PaymentProviderTable;
  payment_notifications: PaymentNotificationTable;
  payments: PaymentTable;
  payment_refs: PaymentRefTable;
  payment_refunds: PaymentRefundTable;
  events: EventTable;
  webhooks: WebhookTable;
  webhook_events: WebhookEventTable;
  app_subscribers: AppSubscriberTable;
  deliveries: DeliveryTable;
  audit_logs: AuditLogTable;
  imports: ImportTable;
  import_images: ImportImageTable;
  sequences: SequenceTable;
  list_counts: ListCountTable;
  list_totals: ListCountTable;
  schema_migrations: { name: string; applied_at: number };
}
