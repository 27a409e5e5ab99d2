import { nounNames } from '@commerce/core';
import { apiKeyRoutes } from './api-keys.ts';
import { auditLogRoutes } from './audit-logs.ts';
import { invoiceRoutes } from './buyers/invoices.ts';
import { mailRoutes } from './buyers/mails.ts';
import { withdrawalRoutes } from './buyers/withdrawals.ts';
import { checkoutRoutes } from './checkouts.ts';
import { collectionRoutes } from './crud.ts';
import { customerRoutes } from './customers.ts';
import { discountRoutes } from './discounts.ts';
import { exportRoutes, importRoutes } from './imports.ts';
import { type McpOptions, mcpRoute } from './mcp/route.ts';
import { mediaRoutes } from './media.ts';
import { orderRoutes } from './orders.ts';
import { paymentRoutes } from './payments.ts';
import { productRoutes } from './products.ts';
import type { ClosedRoute, Route } from './router.ts';
import { settingsRoutes } from './settings.ts';
import { shopRoutes } from './shop.ts';
import { statisticsRoutes } from './statistics.ts';
import { accountRoutes, userRoutes } from './users.ts';
import { webhookRoutes } from './webhooks.ts';
import { whoAmIRoutes } from './whoami.ts';

export interface TableOptions extends McpOptions {
  ordersApi: boolean;
  uploads: boolean;
  /** Users exist for the dashboard only. */
  dashboard?: boolean | undefined;
}

/** Every route below the store prefix. */
export function allRoutes(options: TableOptions): readonly (Route | ClosedRoute)[] {
  return [...routeTable(options), ...(options.dashboard ? accountRoutes : [])];
}

/** The routes that a key can have. */
export function routeTable(options: TableOptions): readonly (Route | ClosedRoute)[] {
  const routes = operationRoutes(options);
  return [...routes, mcpRoute(routes, options)];
}

function operationRoutes(options: TableOptions): readonly (Route | ClosedRoute)[] {
  return [
    ...nounNames.flatMap(collectionRoutes),
    ...productRoutes,
    ...customerRoutes,
    ...apiKeyRoutes,
    ...(options.dashboard ? userRoutes : []),
    ...whoAmIRoutes,
    ...auditLogRoutes,
    ...orderRoutes(options),
    ...checkoutRoutes,
    ...paymentRoutes,
    ...mediaRoutes(options),
    ...webhookRoutes,
    ...invoiceRoutes,
    ...withdrawalRoutes,
    ...mailRoutes,
    ...discountRoutes,
    ...settingsRoutes,
    ...shopRoutes,
    ...statisticsRoutes,
    ...importRoutes,
    ...exportRoutes,
  ];
}
