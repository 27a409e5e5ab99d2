import type { PublishedTable } from '../kernel/nouns.ts';
import type { ApiKeyTable } from './tables/api-keys.ts';
import type { AuditLogTable } from './tables/audit.ts';
import type { CategoryRemovalTable, CategoryTable } from './tables/categories.ts';
import type { CheckoutTable } from './tables/checkouts.ts';
import type { CustomerTable } from './tables/customers.ts';
import type { AppSubscriberTable, DeliveryTable, EventTable } from './tables/deliveries.ts';
import type { DiscountTable } from './tables/discounts.ts';
import type { IdempotentRequestTable } from './tables/idempotency.ts';
import type { MailTable, MailTemplateTable } from './tables/mails.ts';
import type { MediaTable, MediaUseTable } from './tables/media.ts';
import type { InvoiceTable, OrderTable } from './tables/orders.ts';
import type {
  PaymentNotificationTable,
  PaymentProviderTable,
  PaymentRefTable,
  PaymentRefundTable,
  PaymentTable,
} from './tables/payments.ts';
import type { BestSellersTable, ProductFacetTable, ProductTable, ReservationTable } from './tables/products.ts';
import type { PublishedRow } from './tables/published.ts';
import type { LabelTable, ListCountTable, SequenceTable } from './tables/resources.ts';
import type { RateLimitTable, StoreTable } from './tables/stores.ts';
import type { ImportImageTable, ImportTable } from './tables/transfer.ts';
import type {
  PasskeyChallengeTable,
  PasskeyTable,
  PersonTable,
  SessionTable,
  SignInCodeTable,
  SignInFailureTable,
  UserTable,
} from './tables/users.ts';
import type { WebhookEventTable, WebhookTable } from './tables/webhooks.ts';
import type { WithdrawalTable } from './tables/withdrawals.ts';

/** Tables with their rows as stored. */
interface Rows {
  stores: StoreTable;
  rate_limits: RateLimitTable;
  idempotent_requests: IdempotentRequestTable;
  api_keys: ApiKeyTable;
  sign_in_codes: SignInCodeTable;
  people: PersonTable;
  users: UserTable;
  passkeys: PasskeyTable;
  sessions: SessionTable;
  sign_in_failures: SignInFailureTable;
  passkey_challenges: PasskeyChallengeTable;
  products: ProductTable;
  product_facets: ProductFacetTable;
  labels: LabelTable;
  categories: CategoryTable;
  category_removals: CategoryRemovalTable;
  media: MediaTable;
  media_uses: MediaUseTable;
  customers: CustomerTable;
  orders: OrderTable;
  discounts: DiscountTable;
  reservations: ReservationTable;
  best_sellers: BestSellersTable;
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
  mails: MailTable;
  mail_templates: MailTemplateTable;
  withdrawals: WithdrawalTable;
  invoices: InvoiceTable;
  audit_logs: AuditLogTable;
  imports: ImportTable;
  import_images: ImportImageTable;
  sequences: SequenceTable;
  list_counts: ListCountTable;
  list_totals: ListCountTable;
  schema_migrations: { name: string; applied_at: number };
}

/** Every table with its row as stored. A published resource needs a row of its own only for further columns. */
export interface Schema extends Rows, Record<Exclude<PublishedTable, keyof Rows>, PublishedRow> {}
