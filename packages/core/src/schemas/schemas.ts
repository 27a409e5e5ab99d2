import type * as z from 'zod';
import { ApiKeyFields } from '../api-keys/api-keys.ts';
import { SignInFields } from '../api-keys/sign-in.ts';
import { AuditLogQuery, auditLogAnswer } from '../audit/audit.ts';
import { CancelFields, CheckoutFields } from '../checkouts/fields.ts';
import { collections } from '../collections.ts';
import { addressEntity } from '../customers/fields.ts';
import { DeliveryQuery, ReplayFields } from '../deliveries/deliveries.ts';
import { DiscountQuery, discountEntity } from '../discounts/fields.ts';
import { type Noun, nounNames } from '../kernel/nouns.ts';
import { paging } from '../kernel/paging.ts';
import { fields } from '../kernel/parse.ts';
import { MediaQuery, mediaEntity } from '../media/fields.ts';
import {
  addressSnapshotAnswer,
  OrderChangeFields,
  OrderQuery,
  orderAnswer,
  orderFields,
  orderItemAnswer,
  refundFields,
} from '../orders/fields.ts';
import { paymentProviderAnswer } from '../payments/configure.ts';
import {
  ApplyFields,
  DismissFields,
  manualPaymentFields,
  PaymentProviderFields,
  PaymentQuery,
  paymentAnswer,
} from '../payments/fields.ts';
import { StockAdjustmentFields } from '../products/adjust-stock.ts';
import { changeManyFields } from '../products/change-many.ts';
import { productAttributesAnswer } from '../products/facets.ts';
import { AttributeQuery, VariantGroupQuery } from '../products/fields.ts';
import { refundAnswer } from '../sales/orders/refunds.ts';
import { BestSellerQuery, bestSellerAnswer, SalesQuery } from '../statistics/fields.ts';
import { settingsFields } from '../stores/settings.ts';
import { ImportListQuery, ImportResourceQuery } from '../transfer/notes.ts';
import { ImportQuery } from '../transfer/query.ts';
import { WebhookQuery, webhookAnswer, webhookFields } from '../webhooks/fields.ts';
import { ApiKey, CreatedApiKey, ErrorEnvelope, WhoAmI } from './access.ts';
import { Delivery, Replay } from './deliveries.ts';
import { schemaName } from './entities.ts';
import { ReceiverAnswer } from './orders.ts';
import { Checkout, CreatedCheckout, Settings } from './selling.ts';
import { SalesStatistics } from './statistics.ts';
import { TimelineEntry } from './timeline.ts';
import { Import } from './transfer.ts';

// Schemas that depend on the store's currency are shown for a currency with two decimals.
const discount = discountEntity.inputs(2);
const webhook = webhookFields(null);

/**
 * Schemas by their names in the OpenAPI document: the schemas that parse input, and the schemas of answers, which only the document and
 * tests need. So this module is a separate entry, loaded when the document is requested.
 */
export const schemas = {
  ...ofCollections(),
  Address: addressEntity.answer(),
  AddressSnapshot: addressSnapshotAnswer(),
  ApiKey,
  ApiKeyInput: ApiKeyFields,
  ApplyInput: ApplyFields,
  AttributeQuery,
  AuditLog: auditLogAnswer(),
  AuditLogQuery,
  BestSeller: bestSellerAnswer(),
  BestSellerQuery,
  Checkout,
  CheckoutCancellation: CancelFields,
  CheckoutInput: CheckoutFields,
  CreatedApiKey,
  CreatedCheckout,
  Delivery,
  DeliveryQuery,
  Discount: discountEntity.answer(),
  DiscountChanges: discount.update,
  DiscountInput: discount.create,
  DiscountQuery,
  DismissInput: DismissFields,
  ErrorEnvelope,
  Import,
  ImportListQuery,
  ImportQuery,
  ImportResourceQuery,
  ManualPaymentInput: manualPaymentFields(2),
  Media: mediaEntity.answer(),
  MediaChanges: mediaEntity.inputs().update,
  MediaQuery,
  Order: orderAnswer(),
  OrderChanges: OrderChangeFields,
  OrderInput: orderFields(2),
  OrderItem: orderItemAnswer(),
  OrderQuery,
  Payment: paymentAnswer(),
  PaymentProvider: paymentProviderAnswer(),
  PaymentProviderInput: PaymentProviderFields,
  PaymentQuery,
  ProductAttributes: productAttributesAnswer(),
  ProductsChanges: changeManyFields(2),
  ReceiverAnswer,
  Refund: refundAnswer(),
  RefundInput: refundFields(2),
  Replay,
  ReplayInput: ReplayFields,
  SalesQuery,
  SalesStatistics,
  Settings,
  SettingsChanges: settingsFields(2),
  SignInInput: SignInFields,
  StockAdjustment: StockAdjustmentFields,
  TimelineEntry,
  VariantGroupQuery,
  Webhook: webhookAnswer(),
  WebhookChanges: webhook.update,
  WebhookInput: webhook.create,
  WebhookQuery,
  WhoAmI,
  Window: fields(paging),
};

export type SchemaName = keyof typeof schemas;

/** The schemas of a resource: its answer, its inputs, and the filters of its list. */
function ofCollections(): Record<`${Capitalize<Noun>}${'' | 'Input' | 'Changes' | 'Query'}`, z.ZodObject> {
  const all = nounNames.flatMap((noun) => {
    const { entity, query } = collections[noun];
    const name = schemaName(noun);
    const { create, update } = entity.inputs(2);
    return [
      [name, entity.answer()],
      [`${name}Input`, create],
      [`${name}Changes`, update],
      [`${name}Query`, query],
    ];
  });
  return Object.fromEntries(all);
}
