export {
  type ApiKey,
  type ApiKeyInput,
  type CreatedApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from './api-keys/api-keys.ts';
export type { Identity } from './api-keys/identities.ts';
export { readScope, type Scope, scopePresets, scopes } from './api-keys/scopes.ts';
export { type Clock, systemClock } from './clock.ts';
export { type Commerce, type CommerceOptions, openCommerce } from './commerce.ts';
export type { Actor, Context, Engine } from './context.ts';
export { CommerceError, type ErrorCode, type ErrorDetail, type ErrorKind, errorCodes } from './errors.ts';
export { type EventType, eventTypes } from './events/events.ts';
export { type IdSource, uuidV7Source } from './ids.ts';
export type { Json, List } from './json.ts';
export { createOrder } from './orders/create.ts';
export type {
  AddressSnapshot,
  Order,
  OrderInput,
  OrderItem,
  OrderQueryInput,
  OrderStatus,
  PaymentStatus,
} from './orders/fields.ts';
export { getOrder, listOrders, readOrder, readOrders } from './orders/orders.ts';
export type { Outcome } from './payments/inbox.ts';
export { type ProviderName, providerNames, type RawNotification } from './payments/provider.ts';
export { type ReceiverAnswer, receiveNotification } from './payments/receive.ts';
export { configureProvider, type PaymentProvider } from './payments/settings.ts';
export type { Product, ProductChanges, ProductInput, ProductQueryInput, ProductStatus } from './products/fields.ts';
export { listProducts, readProducts } from './products/list.ts';
export {
  createProduct,
  deleteProduct,
  getProduct,
  readProduct,
  updateProduct,
} from './products/products.ts';
export { type MigrationStatus, migrate, migrationStatus, migrations } from './storage/migrations/index.ts';
export type { Storage } from './storage/storage.ts';
export type { Store, StoreScope } from './stores/scope.ts';
export {
  createFirstStore,
  createStore,
  findStore,
  listStores,
  publicStore,
  requireStore,
  type StoreInput,
} from './stores/stores.ts';
export type { DelivererOptions } from './webhooks/deliverer.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  type Webhook,
  type WebhookChanges,
  type WebhookInput,
} from './webhooks/webhooks.ts';
