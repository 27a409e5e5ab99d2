import { ApiKeyFields } from '../api-keys/api-keys.ts';
import { AuditLogQuery } from '../audit/audit.ts';
import { CategoryChangeFields, CategoryFields, CategoryQuery } from '../categories/fields.ts';
import { CustomerChangeFields, CustomerFields, CustomerQuery } from '../customers/fields.ts';
import { DeliveryQuery, ReplayFields } from '../deliveries/deliveries.ts';
import { MediaChangeFields, MediaQuery } from '../media/fields.ts';
import { OrderQuery, orderFields } from '../orders/fields.ts';
import { refundFields } from '../orders/refunds.ts';
import { OrderChangeFields } from '../orders/update.ts';
import { PageChangeFields, PageFields, PageQuery } from '../pages/pages.ts';
import { paging } from '../paging.ts';
import { fields } from '../parse.ts';
import { ApplyFields, DismissFields, manualPaymentFields, PaymentQuery } from '../payments/fields.ts';
import { StockAdjustmentFields } from '../products/adjust-stock.ts';
import { AttributeQuery, ProductQuery, productFields, VariantGroupQuery } from '../products/fields.ts';
import { WebhookQuery, webhookFields } from '../webhooks/fields.ts';
import { ApiKey, AuditLog, CreatedApiKey, ErrorEnvelope, Webhook } from './access.ts';
import { Category, Media, Page, Product, ProductAttributes } from './catalogue.ts';
import { Delivery, Replay } from './deliveries.ts';
import { AddressSnapshot, Order, OrderItem, ReceiverAnswer, Refund } from './orders.ts';
import { Payment } from './payments.ts';
import { Address, Customer } from './people.ts';

export { eventTypes } from '../events/events.ts';
export { type JsonSchema, jsonSchemas } from './json-schema.ts';

// What depends on the store's currency is shown for one with two decimals, and says so.
const product = productFields(2);
const webhook = webhookFields(null);

/**
 * The schemas by the names that the interface's document gives them: those that operations parse input with, and beside them
 * those of what is answered, which nothing but the document and tests needs. For that reason this module is an entry of its
 * own, to be loaded when the document is asked for.
 */
export const schemas = {
  Address,
  AddressSnapshot,
  ApiKey,
  ApiKeyInput: ApiKeyFields,
  ApplyInput: ApplyFields,
  AttributeQuery,
  AuditLog,
  AuditLogQuery,
  Category,
  CategoryChanges: CategoryChangeFields,
  CategoryInput: CategoryFields,
  CategoryQuery,
  CreatedApiKey,
  Customer,
  CustomerChanges: CustomerChangeFields,
  CustomerInput: CustomerFields,
  CustomerQuery,
  Delivery,
  DeliveryQuery,
  DismissInput: DismissFields,
  ErrorEnvelope,
  ManualPaymentInput: manualPaymentFields(2),
  Media,
  MediaChanges: MediaChangeFields,
  MediaQuery,
  Order,
  OrderChanges: OrderChangeFields,
  OrderInput: orderFields(2),
  OrderItem,
  OrderQuery,
  Page,
  PageChanges: PageChangeFields,
  PageInput: PageFields,
  PageQuery,
  Payment,
  PaymentQuery,
  Product,
  ProductAttributes,
  ProductChanges: product.update,
  ProductInput: product.create,
  ProductQuery,
  ReceiverAnswer,
  Refund,
  RefundInput: refundFields(2),
  Replay,
  ReplayInput: ReplayFields,
  StockAdjustment: StockAdjustmentFields,
  VariantGroupQuery,
  Webhook,
  WebhookChanges: webhook.update,
  WebhookInput: webhook.create,
  WebhookQuery,
  Window: fields(paging),
};

export type SchemaName = keyof typeof schemas;
