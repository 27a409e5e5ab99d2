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
export { type KeyKind, keyKinds } from './api-keys/key.ts';
export { readScope, type Scope, scopePresets, scopes, storefrontScopes } from './api-keys/scopes.ts';
export { createSignInCode, type SignInCode, type SignInInput, signIn } from './api-keys/sign-in.ts';
export { type WhoAmI, whoAmI } from './api-keys/whoami.ts';
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
export { cancelCheckout } from './checkouts/cancel.ts';
export { returnFromProvider } from './checkouts/capture.ts';
export { getCheckout } from './checkouts/checkouts.ts';
export { createCheckout } from './checkouts/create.ts';
export { closeDuePages } from './checkouts/expire.ts';
export type { CancelInput, Checkout, CheckoutInput, CheckoutStatus, CreatedCheckout } from './checkouts/fields.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  type Commerce,
  type CommerceOptions,
  type ImportFileOptions,
  type MediaOptions,
  openCommerce,
} from './commerce.ts';
export type { Actor, Context, Engine } from './context.ts';
export { backupDatabase, checkBackup, endWaitingWork } from './copies/backup.ts';
export { type CopyOptions, type CopyReport, copyDatabase } from './copies/copy.ts';
export { anonymiseCustomer } from './customers/anonymise.ts';
export {
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerJson,
  listCustomers,
  listCustomersJson,
  updateCustomer,
} from './customers/customers.ts';
export type { Address, Customer, CustomerChanges, CustomerInput, CustomerQueryInput } from './customers/fields.ts';
export { type DeliveryBacklog, deliveryBacklog } from './deliveries/backlog.ts';
export type { BlockedQueue } from './deliveries/blocked.ts';
export type { DelivererOptions } from './deliveries/deliverer.ts';
export {
  type Delivery,
  type DeliveryQueryInput,
  deliveryStatuses,
  getDelivery,
  listAllDeliveries,
  listDeliveries,
  type ReplayInput,
  redeliver,
  replayWebhook,
  testWebhook,
} from './deliveries/deliveries.ts';
export type {
  CommerceEvent,
  DeliveryAttempt,
  EventData,
  EventHandler,
  EventPattern,
  EventsOf,
} from './deliveries/subscriber.ts';
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
export { CommerceError, type ErrorCode, type ErrorDetail, type ErrorKind, errorCodes, type Reason } from './errors.ts';
export { type EventType, eventTypes } from './events/events.ts';
export { type FileObstacle, fileObstacle } from './file-obstacles.ts';
export { createFirstStore, createFirstStoreWithoutKey } from './first-store.ts';
export { type KeptAnswer, type OnceRequest, once } from './idempotency/once.ts';
export { type IdSource, isId, uuidV7Source } from './ids.ts';
export type { Json, List } from './json.ts';
export { isDeeper, maxUnverifiedDepth } from './json-depth.ts';
export { maxListBytes } from './limits.ts';
export { type MediaBucketOptions, openMediaBucket } from './media/bucket.ts';
export {
  type Media,
  type MediaChanges,
  type MediaQueryInput,
  type MediaUpload,
  uploadLimits,
} from './media/fields.ts';
export type { ByteRange, FileFacts, KeptFile, ListedFile, MediaFiles } from './media/files.ts';
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
export type { DeliveryAttempted, NotificationReceived, Observer } from './observers.ts';
export { createOrder } from './orders/create.ts';
export { eraseOrder } from './orders/erase.ts';
export { type ExpiryOptions, expirePendingOrders } from './orders/expire.ts';
export type {
  AddressSnapshot,
  CancelReason,
  Order,
  OrderChanges,
  OrderInput,
  OrderItem,
  OrderQueryInput,
  OrderStatus,
  PaymentStatus,
  RefundInput,
} from './orders/fields.ts';
export { listOrders, listOrdersJson } from './orders/list.ts';
export { getOrder, getOrderJson } from './orders/orders.ts';
export { listRefunds, type RefundRecord, refundOrder } from './orders/refunds.ts';
export { endReservations } from './orders/reservations.ts';
export { updateOrder } from './orders/update.ts';
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
  type PaymentProvider,
  type ProviderSettings,
  type SettingsOf,
  updatePaymentProvider,
} from './payments/configure.ts';
export {
  type ApplyInput,
  type DismissInput,
  type ManualPaymentInput,
  type Matched,
  matchedValues,
  type Payment,
  type PaymentProviderInput,
  type PaymentQueryInput,
  type PaymentSource,
  paymentSources,
} from './payments/fields.ts';
export type { Outcome } from './payments/inbox.ts';
export { applyPayment, dismissPayment, recordPayment } from './payments/match.ts';
export { type PaymentState, paymentStates, type RelatedIds } from './payments/notice.ts';
export {
  confirmFromInbox,
  getNotification,
  listNotifications,
  type NotificationQueryInput,
  type PaymentNotification,
  replayNotification,
} from './payments/notifications.ts';
export { getPayment, listPayments } from './payments/payments.ts';
export { type ProviderName, providerNames, type RawNotification } from './payments/provider.ts';
export type { IncomingNotification, ReceiveOptions, ReceiverAnswer } from './payments/receive.ts';
export { adjustStock, type StockAdjustment } from './products/adjust-stock.ts';
export { changeProducts, type ProductsChanges } from './products/change-many.ts';
export type { ProductAttributes } from './products/facets.ts';
export type {
  AttributeQueryInput,
  Product,
  ProductChanges,
  ProductInput,
  ProductQueryInput,
  VariantGroupQueryInput,
} from './products/fields.ts';
export {
  getProductAttributes,
  listProducts,
  listProductsByAttributes,
  listProductsByAttributesJson,
  listProductsJson,
  listVariantGroup,
  listVariantGroupJson,
} from './products/list.ts';
export {
  createProduct,
  deleteProduct,
  getProduct,
  getProductJson,
  updateProduct,
} from './products/products.ts';
export { readNearby, writtenPosition } from './replicas.ts';
export { findIdsByPrefix, type IdTable } from './resources/id-prefixes.ts';
export { versionOf } from './resources/versions.ts';
export {
  findUnreadableSecrets,
  hasClearSecrets,
  type RotationReport,
  requireReadableSecrets,
  rotateSecrets,
  type UnreadableSecret,
} from './secrets-rotation.ts';
export { getBestSellers } from './statistics/best-sellers.ts';
export type {
  BestSeller,
  BestSellerQueryInput,
  Sales,
  SalesQueryInput,
  SalesStatistics,
  SalesSums,
} from './statistics/fields.ts';
export { getSales } from './statistics/sales.ts';
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
export { type Plan, plans, type RateLimit } from './stores/plans.ts';
export type { RateDecision } from './stores/rate-limits.ts';
export type { Store, StoreContext } from './stores/scope.ts';
export type { SellingSettings, ShippingMethod } from './stores/selling.ts';
export { getSettings, type Settings, type SettingsChanges, updateSettings } from './stores/settings.ts';
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
export { withoutTrailing } from './trailing.ts';
export { startImport, stopImport } from './transfer/background.ts';
export { type ExportOptions, exportText } from './transfer/export.ts';
export { importFile } from './transfer/import.ts';
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
export {
  type ExportedResource,
  exportedResources,
  type ImportedResource,
  importedResources,
  nounOf,
} from './transfer/own.ts';
export type { Import, ImportCounts, ImportStatus } from './transfer/progress.ts';
export type { ImportQueryInput } from './transfer/query.ts';
export { type Problem, problemLine, problemsHeader } from './transfer/rows.ts';
export { type Encoding, encodings } from './transfer/text.ts';
export { importsIdle } from './transfer/under-way.ts';
export type { TransactionOptions } from './unit.ts';
export { isLoopbackHost, listeningUrl } from './url.ts';
export type { RotationInput, Webhook, WebhookChanges, WebhookInput, WebhookQueryInput } from './webhooks/fields.ts';
export type { SignatureFormat } from './webhooks/formats.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks/webhooks.ts';
