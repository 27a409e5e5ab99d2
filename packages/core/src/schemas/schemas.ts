import type * as z from 'zod';
import { McpMessage, mcpAnswer } from '../agents/messages.ts';
import { ApiKeyFields, apiKeyAnswer, createdApiKeyAnswer } from '../api-keys/api-keys.ts';
import { AuditLogQuery, auditLogAnswer } from '../audit/audit.ts';
import {
  CancelFields,
  CheckoutFields,
  checkoutAnswer,
  createdCheckoutAnswer,
  expiredCheckoutAnswer,
  QuoteFields,
} from '../checkouts/fields.ts';
import { quoteAnswer } from '../checkouts/quote-answer.ts';
import { collections } from '../collections.ts';
import { addressEntity } from '../customers/fields.ts';
import { DeliveryQuery, deliveryAnswer, ReplayFields, replayAnswer } from '../deliveries/deliveries.ts';
import { deliveryDetailsAnswer } from '../deliveries/details.ts';
import { SubscriberQuery, subscriberAnswer, subscriberDeliveryAnswer } from '../deliveries/of-subscribers.ts';
import { deskAnswer } from '../desk/desk.ts';
import { DiscountQuery, discountEntity } from '../discounts/fields.ts';
import { settingsEntity } from '../engine/settings/settings.ts';
import { FeedReportQuery, feedReportAnswer } from '../feeds/report-fields.ts';
import { noted } from '../fields/notes.ts';
import { InvoiceQuery, invoiceAnswer, keptEntity } from '../invoices/fields.ts';
import { type Noun, nounNames } from '../kernel/nouns.ts';
import { paging } from '../kernel/paging.ts';
import { fields } from '../kernel/parse.ts';
import {
  letterAnswer,
  MailQuery,
  MailTemplateFields,
  mailAnswer,
  mailTemplateAnswer,
  mailTestAnswer,
  PreviewFields,
  ResendFields,
  TestMailFields,
  wholeMailAnswer,
} from '../mail/fields.ts';
import { MediaQuery, mediaEntity } from '../media/fields.ts';
import { VariantQuery } from '../media/variants.ts';
import { addressSnapshotAnswer, orderEntity, orderItemEntity } from '../orders/fields.ts';
import { FulfilmentChangeFields, FulfilmentFields, fulfilmentEntity } from '../orders/fulfilment-fields.ts';
import { OrderChangeFields, OrderQuery, orderFields } from '../orders/inputs.ts';
import {
  failedRefundAnswer,
  PaymentRefundFields,
  RefundQuery,
  refundAnswer,
  refundFields,
} from '../orders/refund-fields.ts';
import {
  ApplyFields,
  DismissFields,
  endpointCheckAnswer,
  manualPaymentFields,
  PaymentProviderFields,
  PaymentQuery,
  paymentAnswer,
  paymentProviderAnswer,
} from '../payments/fields.ts';
import { StockAdjustmentFields } from '../products/adjust-stock.ts';
import { changeManyFields } from '../products/change-many.ts';
import { productAttributesAnswer } from '../products/facets.ts';
import { ProductDetailsQuery, productDetailsAnswer } from '../products/include.ts';
import { facetsAnswer, listedProductAnswer } from '../products/list/answer.ts';
import { AttributeQuery, VariantGroupQuery } from '../products/list/query.ts';
import { receiverAnswer } from '../sales/notifications/receive.ts';
import { buyersOrderAnswer } from '../sales/orders/buyers-order.ts';
import { shopAnswer } from '../shop/answer.ts';
import {
  BestSellerQuery,
  bestSellerAnswer,
  CountrySalesQuery,
  countrySalesAnswer,
  SalesQuery,
  salesAnswer,
  TaxStatisticsQuery,
  taxStatisticsAnswer,
} from '../statistics/fields.ts';
import { timelineAnswer } from '../timeline/timeline.ts';
import { CustomerExportQuery, OrderExportQuery, ProductExportQuery } from '../transfer/exports/filters.ts';
import { ImportListQuery, ImportResourceQuery } from '../transfer/notes.ts';
import { importAnswer } from '../transfer/progress.ts';
import { ImportQuery } from '../transfer/query.ts';
import { UcpLookupInput, UcpProductInput, UcpSearchInput } from '../ucp/inputs.ts';
import {
  AccountFields,
  invitationAnswer,
  ownUserAnswer,
  PasskeyFields,
  PasswordFields,
  passkeyAnswer,
  passkeyOptionsAnswer,
  SignInFields,
  sessionAnswer,
  signInLinkAnswer,
  UserChangeFields,
  UserFields,
  userAnswer,
} from '../users/fields.ts';
import { whoAmIAnswer } from '../users/whoami.ts';
import { WebhookQuery, webhookAnswer, webhookFields } from '../webhooks/fields.ts';
import {
  receivedWithdrawalAnswer,
  WithdrawalFields,
  WithdrawalQuery,
  withdrawalEntity,
} from '../withdrawals/fields.ts';
import { schemaName } from './entities.ts';
import { ErrorEnvelope } from './errors.ts';

// Schemas that depend on the store's currency are shown for a currency with two decimals.
const discount = discountEntity.inputs(2);
const webhook = webhookFields(null);

/**
 * Schemas by their names in the OpenAPI document: the schemas that parse input, and the schemas of answers, which only the document and
 * tests need. So this module is a separate entry, loaded when the document is requested.
 */
export const schemas = {
  ...ofCollections(),
  AccountInput: AccountFields,
  Address: addressEntity.answer(),
  AddressSnapshot: addressSnapshotAnswer(),
  ApiKey: apiKeyAnswer(),
  ApiKeyInput: ApiKeyFields,
  ApplyInput: ApplyFields,
  AttributeQuery,
  AuditLog: auditLogAnswer(),
  AuditLogQuery,
  BestSeller: bestSellerAnswer(),
  BestSellerQuery,
  BuyersOrder: buyersOrderAnswer(),
  Checkout: checkoutAnswer(),
  CheckoutCancellation: CancelFields,
  CheckoutInput: CheckoutFields,
  CountrySales: countrySalesAnswer(),
  TaxStatistics: taxStatisticsAnswer(),
  TaxStatisticsQuery,
  CountrySalesQuery,
  CreatedApiKey: createdApiKeyAnswer(),
  CreatedCheckout: createdCheckoutAnswer(),
  ExpiredCheckout: expiredCheckoutAnswer(),
  CustomerExportQuery,
  Delivery: deliveryAnswer(),
  DeliveryDetails: deliveryDetailsAnswer(),
  DeliveryQuery,
  Subscriber: subscriberAnswer(),
  SubscriberDelivery: subscriberDeliveryAnswer(),
  SubscriberQuery,
  Desk: deskAnswer(),
  Discount: discountEntity.answer(),
  DiscountChanges: discount.update,
  DiscountInput: discount.create,
  DiscountQuery,
  DismissInput: DismissFields,
  ErrorEnvelope,
  FailedRefund: failedRefundAnswer(),
  FeedReport: feedReportAnswer(),
  FeedReportQuery,
  Import: importAnswer(),
  ImportListQuery,
  ImportQuery,
  ImportResourceQuery,
  Invitation: invitationAnswer(),
  Invoice: invoiceAnswer(),
  InvoiceQuery,
  Kept: keptEntity.answer(),
  ListedProduct: listedProductAnswer(),
  Letter: letterAnswer(),
  Mail: mailAnswer(),
  MailQuery,
  MailTemplate: mailTemplateAnswer(),
  MailTemplateInput: MailTemplateFields,
  MailTest: mailTestAnswer(),
  McpAnswer: mcpAnswer(),
  McpMessage,
  ManualPaymentInput: manualPaymentFields(2),
  Media: mediaEntity.answer(),
  MediaChanges: mediaEntity.inputs().update,
  MediaQuery,
  Order: orderEntity.answer(),
  OrderChanges: OrderChangeFields,
  Fulfilment: fulfilmentEntity.answer(),
  FulfilmentInput: FulfilmentFields,
  FulfilmentChanges: FulfilmentChangeFields,
  OrderExportQuery,
  OrderInput: orderFields(2),
  OrderItem: orderItemEntity.answer(),
  OrderQuery,
  OwnUser: ownUserAnswer(),
  Passkey: passkeyAnswer(),
  PasskeyInput: PasskeyFields,
  PasskeyOptions: passkeyOptionsAnswer(),
  PasswordInput: PasswordFields,
  Payment: paymentAnswer(),
  PaymentProvider: paymentProviderAnswer(),
  PaymentProviderEndpoint: endpointCheckAnswer(),
  PaymentProviderInput: PaymentProviderFields,
  PaymentQuery,
  PaymentRefundInput: PaymentRefundFields,
  PreviewInput: PreviewFields,
  ProductAttributes: productAttributesAnswer(),
  ProductDetails: productDetailsAnswer(),
  ProductDetailsQuery,
  ProductExportQuery,
  ProductFacets: facetsAnswer(),
  ProductsChanges: changeManyFields(2),
  Quote: quoteAnswer(),
  QuoteInput: QuoteFields,
  ReceiverAnswer: receiverAnswer(),
  Refund: refundAnswer(),
  RefundInput: refundFields(2),
  RefundQuery,
  Replay: replayAnswer(),
  ReplayInput: ReplayFields,
  ResendInput: ResendFields,
  SalesQuery,
  SalesStatistics: salesAnswer(),
  Session: sessionAnswer(),
  Settings: settingsEntity.answer(),
  SettingsChanges: settingsEntity.inputs(2).update,
  Shop: shopAnswer(),
  SignInInput: SignInFields,
  SignInLink: signInLinkAnswer(),
  StockAdjustment: StockAdjustmentFields,
  TestMailInput: TestMailFields,
  TimelineEntry: timelineAnswer(),
  UcpLookupInput,
  UcpProductInput,
  UcpSearchInput,
  User: userAnswer(),
  UserChanges: UserChangeFields,
  UserInput: UserFields,
  VariantGroupQuery,
  VariantQuery,
  Webhook: webhookAnswer(),
  WebhookChanges: webhook.update,
  WebhookInput: webhook.create,
  WebhookQuery,
  WholeMail: wholeMailAnswer(),
  WhoAmI: whoAmIAnswer(),
  Withdrawal: withdrawalEntity.answer(),
  WithdrawalChanges: withdrawalEntity.inputs().update,
  WithdrawalInput: WithdrawalFields,
  ReceivedWithdrawal: receivedWithdrawalAnswer(),
  WithdrawalQuery,
  Window: noted(fields(paging), { description: 'The window of a list.' }),
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
