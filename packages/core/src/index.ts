export * from './agents/index.ts';
export {
  type ApiKey,
  type ApiKeyInput,
  type CreatedApiKey,
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
} from './api-keys/api-keys.ts';
export type { Identity } from './api-keys/identities.ts';
export { type AuditLog, type AuditLogQueryInput, getAuditLog, listAuditLogs } from './audit/audit.ts';
export {
  createCategory,
  deleteCategory,
  getCategory,
  getCategoryJson,
  listCategories,
  listCategoriesJson,
  updateCategory,
} from './categories/categories.ts';
export type { Category, CategoryChanges, CategoryInput, CategoryQueryInput } from './categories/fields.ts';
export { getCheckout } from './checkouts/checkouts.ts';
export type {
  CancelInput,
  Checkout,
  CheckoutInput,
  CheckoutStatus,
  CreatedCheckout,
  ExpiredCheckout,
  QuoteInput,
} from './checkouts/fields.ts';
export type { Quote } from './checkouts/quote-answer.ts';
export { collections } from './collections.ts';
export { type Commerce, type Observer, openCommerce } from './commerce.ts';
export type { CommerceOptions, ImportFileOptions, MediaOptions } from './commerce-options.ts';
export { backupDatabase, checkBackup, endWaitingWork } from './copies/backup.ts';
export { type CopyOptions, type CopyReport, copyDatabase } from './copies/copy.ts';
export {
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerJson,
  listCustomers,
  listCustomersJson,
  updateCustomer,
} from './customers/customers.ts';
export {
  type Address,
  type Customer,
  type CustomerChanges,
  type CustomerInput,
  type CustomerQueryInput,
  customerSorts,
} from './customers/fields.ts';
export { type DeliveryBacklog, deliveryBacklog } from './deliveries/backlog.ts';
export type { BlockedQueue } from './deliveries/blocked.ts';
export type { DelivererOptions } from './deliveries/deliverer.ts';
export {
  type Delivery,
  type DeliveryQueryInput,
  deliveryStatuses,
  listAllDeliveries,
  listDeliveries,
  type ReplayInput,
  redeliver,
  replayWebhook,
  testWebhook,
} from './deliveries/deliveries.ts';
export { type DeliveryDetails, getDelivery } from './deliveries/details.ts';
export type { HandlerFailure, OnError } from './deliveries/handler-errors.ts';
export type { DeliveryAttempted } from './deliveries/observers.ts';
export {
  type AppSubscriber,
  listSubscriberDeliveries,
  listSubscribers,
  redeliverToSubscriber,
  type SubscriberDelivery,
  type SubscriberQueryInput,
} from './deliveries/of-subscribers.ts';
export type { DeliveryAttempt } from './deliveries/subscriber.ts';
export { type Desk, getDesk } from './desk/desk.ts';
export {
  createDiscount,
  deleteDiscount,
  getDiscount,
  getDiscountJson,
  listDiscounts,
  listDiscountsJson,
  updateDiscount,
} from './discounts/discounts.ts';
export type {
  Discount,
  DiscountChanges,
  DiscountInput,
  DiscountQueryInput,
  DiscountType,
} from './discounts/fields.ts';
export { examine, type Finding } from './doctor/doctor.ts';
export { examineProviders } from './doctor/providers.ts';
export type { Actor, Context, Engine, Lasting } from './engine/context.ts';
export type { ByteRange, FileFacts, KeptFile, ListedFile, MediaFiles } from './engine/media-files.ts';
export type { RateLimit } from './engine/plans.ts';
export {
  type Role,
  readScope,
  roleNames,
  roles,
  type Scope,
  scopePresets,
  scopes,
  storefrontScopes,
} from './engine/scopes.ts';
export * from './engine/settings/index.ts';
export type { Store, StoreContext } from './engine/store.ts';
export type { TransactionContext, TransactionOptions } from './engine/unit.ts';
export type { CommerceEvent, EventData, EventHandler, EventPattern, EventsOf } from './event-types.ts';
export { type EventType, eventTypes } from './events/events.ts';
export * from './feeds/index.ts';
export type { AnyEntity, Changes, Entity, EntityOf, Field, Input } from './fields/entity.ts';
export { createFirstStore, createFirstStoreWithoutKey } from './first-store.ts';
export { type KeptAnswer, type OnceRequest, once } from './idempotency/once.ts';
export { type Clock, systemClock } from './kernel/clock.ts';
export {
  CommerceError,
  type ErrorCode,
  type ErrorDetail,
  type ErrorKind,
  errorCodes,
  type Limits,
  type ProblemCode,
  problemCodes,
  type Reason,
  type RefusalCode,
  type Refused,
  reasons,
  refusalCodes,
} from './kernel/errors.ts';
export { FairQueue } from './kernel/fair-queue.ts';
export { type FileObstacle, fileObstacle } from './kernel/files/file-obstacles.ts';
export { isSource, type OwnFile, ownFile } from './kernel/files/own-file.ts';
export { type IdSource, isId, uuidV7Source } from './kernel/ids.ts';
export type { Json, List } from './kernel/json.ts';
export { isDeeper, maxUnverifiedDepth } from './kernel/json.ts';
export { maxListBytes } from './kernel/limits.ts';
export { type CollectionTable, type Noun, nounNames, nouns } from './kernel/nouns.ts';
export { withoutTrailing } from './kernel/trailing.ts';
export { hostKey, isLoopbackHost, listeningUrl } from './kernel/url.ts';
export { type MediaBucketOptions, openMediaBucket } from './media/bucket.ts';
export {
  type Media,
  type MediaChanges,
  type MediaQueryInput,
  type MediaUpload,
  uploadLimits,
} from './media/fields.ts';
export { type MediaFolderOptions, openMediaFolder } from './media/folder.ts';
export { uploadTypeOf } from './media/formats.ts';
export {
  createMedia,
  deleteMedia,
  getMedia,
  getMediaJson,
  listMedia,
  listMediaJson,
  updateMedia,
} from './media/media.ts';
export { openMediaFile, type ServedFile } from './media/serve.ts';
export { withStagedFile } from './media/staging.ts';
export { type Sweep, sweepMedia } from './media/sweep.ts';
export type { VariantInput } from './media/variants.ts';
export { networkOf } from './network/network-of.ts';
export type {
  AddressSnapshot,
  CancelReason,
  FulfilmentStatus,
  Order,
  OrderItem,
  OrderStatus,
  PaymentStatus,
} from './orders/fields.ts';
export type { Fulfilment, FulfilmentChanges, FulfilmentInput, Tracking } from './orders/fulfilment-fields.ts';
export {
  type OrderChanges,
  type OrderInput,
  type OrderQueryInput,
  orderSorts,
} from './orders/inputs.ts';
export { listOrders, listOrdersJson } from './orders/list.ts';
export { getOrder, getOrderJson } from './orders/orders.ts';
export {
  type FailedRefund,
  type PaymentRefundInput,
  type RefundInput,
  type RefundQueryInput,
  type RefundRecord,
  type RefundStatus,
  refundStatuses,
} from './orders/refund-fields.ts';
export type { Page, PageChanges, PageInput, PageQueryInput } from './pages/fields.ts';
export {
  createPage,
  deletePage,
  getPage,
  getPageJson,
  listPages,
  listPagesJson,
  updatePage,
} from './pages/pages.ts';
export {
  configureProvider,
  deletePaymentProvider,
  getPaymentProvider,
  type HiddenSecret,
  listPaymentProviders,
  type ProviderSettings,
  type SettingsOf,
  updatePaymentProvider,
} from './payments/configure.ts';
export { type ConnectOptions, connectProvider, disconnectProvider } from './payments/connect.ts';
export { checkProvider } from './payments/endpoint-check.ts';
export {
  type ApplyInput,
  type DismissInput,
  type EndpointCheck,
  type ManualPaymentInput,
  type Payment,
  type PaymentProvider,
  type PaymentProviderInput,
  type PaymentQueryInput,
  type PaymentSource,
  paymentSources,
} from './payments/fields.ts';
export type { Outcome } from './payments/inbox.ts';
export { getPayment, listPayments } from './payments/payments.ts';
export * from './products/index.ts';
export type { RelatedIds } from './providers/notice.ts';
export type { RawNotification } from './providers/provider.ts';
export { type StripeMethod, stripeMethods } from './providers/stripe/methods.ts';
export { readNearby, writtenPosition } from './replicas.ts';
export { findIdsByPrefix, type IdTable } from './resources/id-prefixes.ts';
export { versionOf } from './resources/versions.ts';
export { cancelCheckout } from './sales/checkout/cancel.ts';
export { returnFromProvider } from './sales/checkout/capture.ts';
export { createCheckout } from './sales/checkout/create.ts';
export { closeDuePages } from './sales/checkout/expire.ts';
export { quoteCheckout } from './sales/checkout/quote.ts';
export * from './sales/invoices/index.ts';
export * from './sales/mails/index.ts';
export { type ExpiryOptions, expirePendingOrders } from './sales/moves/expire.ts';
export { endReservations } from './sales/moves/reservations.ts';
export {
  confirmFromInbox,
  getNotification,
  listNotifications,
  type NotificationQueryInput,
  type PaymentNotification,
  replayNotification,
} from './sales/notifications/notifications.ts';
export type { NotificationReceived } from './sales/notifications/observers.ts';
export type { IncomingNotification, ReceiveOptions, ReceiverAnswer } from './sales/notifications/receive.ts';
export { type AnonymisedCustomer, anonymiseCustomer } from './sales/orders/anonymise-customer.ts';
export { type BuyersOrder, getOrderByToken } from './sales/orders/buyers-order.ts';
export { createOrder } from './sales/orders/create.ts';
export { eraseOrder } from './sales/orders/erase.ts';
export { createFulfilment, deleteFulfilment, updateFulfilment } from './sales/orders/fulfilments.ts';
export { updateOrder } from './sales/orders/update.ts';
export * from './sales/refunds/index.ts';
export { applyPayment, dismissPayment, recordPayment } from './sales/settle/match.ts';
export * from './sales/withdrawals/index.ts';
export {
  findUnreadableSecrets,
  hasClearSecrets,
  type RotationReport,
  requireReadableSecrets,
  rotateSecrets,
  type UnreadableSecret,
} from './secrets-rotation.ts';
export type { Shop } from './shop/answer.ts';
export { getShop } from './shop/shop.ts';
export * from './statistics/index.ts';
export { type DistributionDone, distribute } from './storage/distribute.ts';
export { migrations } from './storage/migrations/all.ts';
export {
  type ComingMigrations,
  type MigrateOptions,
  type MigrationStatus,
  migrate,
  migrationStatus,
} from './storage/migrations/index.ts';
export { type PlacementReport, placementReport, type TablePlacement } from './storage/placing.ts';
export { openingError } from './storage/run.ts';
export type { ReplicaState, Storage } from './storage/storage.ts';
export { type KeyKind, keyKinds } from './storage/tables/api-keys.ts';
export {
  type Matched,
  matchedValues,
  type PaymentState,
  type ProviderName,
  paymentStates,
  providerNames,
} from './storage/tables/payments.ts';
export { type Plan, plans } from './storage/tables/stores.ts';
export type { SignatureFormat } from './storage/tables/webhooks.ts';
export type { RateDecision } from './stores/rate-limits.ts';
export { getSettings, rotateFeedToken, rotateOrderLinks, updateSettings } from './stores/settings.ts';
export {
  createStore,
  findStore,
  listStores,
  publicStore,
  requireStore,
  type StoreChanges,
  type StoreInput,
  updateStore,
} from './stores/stores.ts';
export { getOrderTimeline, type TimelineEntry } from './timeline/timeline.ts';
export { startImport, stopImport } from './transfer/background.ts';
export { type ExportOptions, exportText, isLanguage } from './transfer/exports/export.ts';
export { type ExportFilters, type FilteredExport, orderLines } from './transfer/exports/filters.ts';
export { type Problem, problemLine, problemsHeader } from './transfer/files/rows.ts';
export { type Encoding, encodings } from './transfer/files/text.ts';
export {
  type ExportedResource,
  exportedResources,
  type ImportedResource,
  importedResources,
  matchFields,
  nounOf,
} from './transfer/formats/own.ts';
export { importFile } from './transfer/import.ts';
export { type ImportRow, type ImportRowsOptions, importRows } from './transfer/import-rows.ts';
export {
  getImport,
  getImportJson,
  type ImportListQueryInput,
  type ImportResourceQueryInput,
  listImports,
  listImportsJson,
} from './transfer/notes.ts';
export {
  type DescriptionForm,
  descriptionForms,
  type ImportHooks,
  type ImportOptions,
  type ImportSource,
  type RepeatedSku,
  repeatedSkus,
} from './transfer/options.ts';
export type { Import, ImportCounts, ImportStatus } from './transfer/progress.ts';
export type { ImportQueryInput } from './transfer/query.ts';
export { importsIdle } from './transfer/under-way.ts';
export * from './ucp/index.ts';
export { createAccount, getOwnUser, setPassword } from './users/account.ts';
export { createSignInCode } from './users/codes.ts';
export type {
  AccountInput,
  Invitation,
  OwnUser,
  Passkey,
  PasskeyInput,
  PasswordInput,
  Session,
  SignInInput,
  SignInLink,
  User,
  UserChanges,
  UserInput,
} from './users/fields.ts';
export { exchangeCode } from './users/link-key.ts';
export { addPasskey, newPasskeyOptions, passkeyHost, passkeyOptions, removePasskey } from './users/passkeys.ts';
export { endOtherSessions, endSession, keptSeconds, listSessions, signOut } from './users/sessions.ts';
export { type SignedIn, type SignInOptions, type StoreChoice, signIn } from './users/sign-in.ts';
export {
  createUser,
  getUser,
  listUsers,
  removeUser,
  resetUser,
  type UserQueryInput,
  updateUser,
} from './users/users.ts';
export { type WhoAmI, whoAmI } from './users/whoami.ts';
export type { RotationInput, Webhook, WebhookChanges, WebhookInput, WebhookQueryInput } from './webhooks/fields.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks/webhooks.ts';
