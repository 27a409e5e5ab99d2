// Made from the OpenAPI document by `npm run api-types`; the test of the typed client is written against it.
// biome-ignore-all format: it is as the generator prints it
// biome-ignore-all lint: it is as the generator prints it

export interface paths {
    "/stores/{storeId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProducts"];
        put?: never;
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProduct"];
        put: operations["updateProduct"];
        post?: never;
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch: operations["patchProduct"];
        trace?: never;
    };
    "/stores/{storeId}/products/{id}/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["adjustStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/products/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProductAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/products/by-attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProductsByAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/products/by-variant-group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVariantGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCategories"];
        put?: never;
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCategory"];
        put: operations["updateCategory"];
        post?: never;
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch: operations["patchCategory"];
        trace?: never;
    };
    "/stores/{storeId}/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCustomers"];
        put?: never;
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCustomer"];
        put: operations["updateCustomer"];
        post?: never;
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        patch: operations["patchCustomer"];
        trace?: never;
    };
    "/stores/{storeId}/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPages"];
        put?: never;
        post: operations["createPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/pages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPage"];
        put: operations["updatePage"];
        post?: never;
        delete: operations["deletePage"];
        options?: never;
        head?: never;
        patch: operations["patchPage"];
        trace?: never;
    };
    "/stores/{storeId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/audit-logs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrders"];
        put?: never;
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrder"];
        put: operations["updateOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["patchOrder"];
        trace?: never;
    };
    "/stores/{storeId}/orders/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/orders/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/payments/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["applyPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/payments/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dismissPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/orders/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMedia"];
        put?: never;
        post: operations["uploadMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMedia"];
        put: operations["updateMedia"];
        post?: never;
        delete: operations["deleteMedia"];
        options?: never;
        head?: never;
        patch: operations["patchMedia"];
        trace?: never;
    };
    "/stores/{storeId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put: operations["updateWebhook"];
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["patchWebhook"];
        trace?: never;
    };
    "/stores/{storeId}/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{provider}/{storeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveNotificationOfStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{storeId}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMediaFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReferenceAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "product.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onProductCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onProductUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onProductDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onOrderUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onOrderPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.fulfilled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onOrderFulfilled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onOrderCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onOrderRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCustomerCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCustomerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCustomerDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "category.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCategoryCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "category.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCategoryUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "category.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCategoryDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "page.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPageCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "page.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPageUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "page.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPageDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMediaCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMediaUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "media.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMediaDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPaymentUnmatched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.dismissed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPaymentDismissed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Address: {
            /**
             * Format: uuid
             * @example 0193d3ef-c080-7057-a93a-4fc162809ebd
             */
            id: string;
            /** @example Ada */
            firstName: string | null;
            /** @example Lovelace */
            lastName: string | null;
            company: string | null;
            /** @example 12 St James Square */
            address1: string;
            address2: string | null;
            /** @example London */
            city: string;
            region: string | null;
            /** @example SW1Y 4JH */
            postalCode: string;
            /** @example GB */
            country: string;
            phone: string | null;
            /** @example true */
            isDefault: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
        };
        AddressSnapshot: {
            /** @example Ada */
            firstName: string | null;
            /** @example Lovelace */
            lastName: string | null;
            /** @example 12 St James Square */
            address1: string | null;
            address2: string | null;
            /** @example London */
            city: string | null;
            region: string | null;
            /** @example SW1Y 4JH */
            postalCode: string | null;
            /** @example GB */
            country: string | null;
            company: string | null;
            phone: string | null;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @example 0193d3f3-ed60-749b-ad7e-83051624c3f9
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /** @example Storefront */
            name: string;
            /** @example ck_live_9fXa */
            prefix: string;
            /**
             * @example [
             *       "product.read",
             *       "category.read"
             *     ]
             */
            scopes: ("product.read" | "product.write" | "product.delete" | "order.read" | "order.write" | "order.delete" | "customer.read" | "customer.write" | "customer.delete" | "category.read" | "category.write" | "category.delete" | "page.read" | "page.write" | "page.delete" | "media.read" | "media.write" | "media.delete" | "webhook.read" | "webhook.write" | "webhook.delete" | "apiKey.read" | "apiKey.write" | "apiKey.delete" | "auditLog.read" | "payment.read" | "payment.write")[];
            /** Format: date-time */
            lastUsedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /** @example 0193d3f3-ed60-749b-ad7e-83051624c3f9 */
            createdBy: string | null;
        };
        /**
         * @example {
         *       "name": "Storefront",
         *       "scopes": [
         *         "product.read",
         *         "category.read"
         *       ]
         *     }
         */
        ApiKeyInput: {
            /** @example Storefront */
            name: string;
            /**
             * @example [
             *       "product.read",
             *       "category.read"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @example 2030-01-31T00:00:00Z
             */
            expiresAt?: string | null;
        };
        /**
         * @example {
         *       "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc"
         *     }
         */
        ApplyInput: {
            /**
             * Format: uuid
             * @example 0193d3f0-4bb8-7168-ba4b-50d273910fcc
             */
            orderId: string;
        };
        AuditLog: {
            /**
             * Format: uuid
             * @example 0193d3f4-7898-75ac-be8f-94162735d408
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /**
             * @example apiKey
             * @enum {string}
             */
            actorType: "apiKey" | "provider" | "cli" | "system" | "embedder";
            /** @example 0193d3f3-ed60-749b-ad7e-83051624c3f9 */
            actorId: string | null;
            /** @example product.updated */
            action: string;
            /** @example product */
            resourceType: string;
            /** @example 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52 */
            resourceId: string;
            /**
             * @example {
             *       "price": {
             *         "from": "10.00",
             *         "to": "12.50"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            };
            /** @example 7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b */
            requestId: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
        };
        Category: {
            /**
             * Format: uuid
             * @example 0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /** @example Mugs */
            name: string;
            /** @example mugs */
            slug: string;
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published" | "archived" | "deleted";
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            publishedAt: string | null;
            seoTitle: string | null;
            seoDescription: string | null;
            seoKeywords: string | null;
            /** Format: uuid */
            seoImageId: string | null;
            description: string | null;
            /** Format: uuid */
            parentId: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:30:00.000Z
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "name": "Mugs and cups"
         *     }
         */
        CategoryChanges: {
            /** @example Mugs */
            name?: string;
            /** @example mugs */
            slug?: string;
            /**
             * @example published
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            seoTitle?: string | null;
            seoDescription?: string | null;
            seoKeywords?: string | null;
            seoImageId?: string | null;
            description?: string | null;
            parentId?: string | null;
        };
        /**
         * @example {
         *       "name": "Mugs",
         *       "slug": "mugs",
         *       "status": "published"
         *     }
         */
        CategoryInput: {
            /** @example Mugs */
            name: string;
            /** @example mugs */
            slug: string;
            /**
             * @example published
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            seoTitle?: string | null;
            seoDescription?: string | null;
            seoKeywords?: string | null;
            seoImageId?: string | null;
            description?: string | null;
            parentId?: string | null;
        };
        CreatedApiKey: {
            /**
             * Format: uuid
             * @example 0193d3f3-ed60-749b-ad7e-83051624c3f9
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /** @example Storefront */
            name: string;
            /** @example ck_live_9fXa */
            prefix: string;
            /**
             * @example [
             *       "product.read",
             *       "category.read"
             *     ]
             */
            scopes: ("product.read" | "product.write" | "product.delete" | "order.read" | "order.write" | "order.delete" | "customer.read" | "customer.write" | "customer.delete" | "category.read" | "category.write" | "category.delete" | "page.read" | "page.write" | "page.delete" | "media.read" | "media.write" | "media.delete" | "webhook.read" | "webhook.write" | "webhook.delete" | "apiKey.read" | "apiKey.write" | "apiKey.delete" | "auditLog.read" | "payment.read" | "payment.write")[];
            /** Format: date-time */
            lastUsedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /** @example 0193d3f3-ed60-749b-ad7e-83051624c3f9 */
            createdBy: string | null;
            /** @example ck_live_9fXaT0mWq3ZsK7yBv1LrC5uJd8HgN2pEiR4oVwMxYtQk */
            key: string;
        };
        Customer: {
            /**
             * Format: uuid
             * @example 0193d3ee-3548-7f46-9829-3eb0517f9dae
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /** @example ada@shop.test */
            email: string;
            /** @example Ada Lovelace */
            name: string | null;
            phone: string | null;
            /** @example false */
            marketingOptIn: boolean;
            /**
             * Format: uuid
             * @example 0193d3ef-c080-7057-a93a-4fc162809ebd
             */
            defaultAddressId: string | null;
            addresses: components["schemas"]["Address"][];
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "marketingOptIn": true
         *     }
         */
        CustomerChanges: {
            /**
             * Format: email
             * @example ada@shop.test
             */
            email?: string;
            /** @example Ada Lovelace */
            name?: string | null;
            phone?: string | null;
            /** @example false */
            marketingOptIn?: boolean;
            /** @example 0193d3ef-c080-7057-a93a-4fc162809ebd */
            defaultAddressId?: string | null;
            addresses?: {
                /** @example 0193d3ef-c080-7057-a93a-4fc162809ebd */
                id?: string;
                /** @example Ada */
                firstName?: string | null;
                /** @example Lovelace */
                lastName?: string | null;
                company?: string | null;
                /** @example 12 St James Square */
                address1?: string;
                address2?: string | null;
                /** @example London */
                city?: string;
                region?: string | null;
                /** @example SW1Y 4JH */
                postalCode?: string;
                /** @example GB */
                country?: string;
                phone?: string | null;
                /** @example true */
                isDefault?: boolean;
            }[];
        };
        /**
         * @example {
         *       "email": "ada@shop.test",
         *       "name": "Ada Lovelace",
         *       "addresses": [
         *         {
         *           "address1": "12 St James Square",
         *           "city": "London",
         *           "postalCode": "SW1Y 4JH",
         *           "country": "GB"
         *         }
         *       ]
         *     }
         */
        CustomerInput: {
            /**
             * Format: email
             * @example ada@shop.test
             */
            email: string;
            /** @example Ada Lovelace */
            name?: string | null;
            phone?: string | null;
            /** @example false */
            marketingOptIn?: boolean;
            /** @example 0193d3ef-c080-7057-a93a-4fc162809ebd */
            defaultAddressId?: string | null;
            addresses?: {
                /** @example 0193d3ef-c080-7057-a93a-4fc162809ebd */
                id?: string;
                /** @example Ada */
                firstName?: string | null;
                /** @example Lovelace */
                lastName?: string | null;
                company?: string | null;
                /** @example 12 St James Square */
                address1?: string;
                address2?: string | null;
                /** @example London */
                city?: string;
                region?: string | null;
                /** @example SW1Y 4JH */
                postalCode?: string;
                /** @example GB */
                country?: string;
                phone?: string | null;
                /** @example true */
                isDefault?: boolean;
            }[];
        };
        Delivery: {
            /**
             * Format: uuid
             * @example 0193d3f6-8f08-77ce-80a1-b638495f6280
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3f2-6228-738a-9c6d-72f49513b2ea
             */
            webhookId: string;
            /**
             * Format: uuid
             * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
             */
            eventId: string;
            /**
             * @example order.paid
             * @enum {string}
             */
            event: "product.created" | "product.updated" | "product.deleted" | "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.refunded" | "customer.created" | "customer.updated" | "customer.deleted" | "category.created" | "category.updated" | "category.deleted" | "page.created" | "page.updated" | "page.deleted" | "media.created" | "media.updated" | "media.deleted" | "payment.unmatched" | "payment.dismissed" | "webhook.test";
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed" | "cancelled";
            attempts: {
                /**
                 * Format: date-time
                 * @example 2026-11-20T12:00:00.000Z
                 */
                at: string;
                /** @example 500 */
                responseCode: number | null;
                /** @example 38 */
                latencyMs: number;
                /** @example answered 500 */
                error: string | null;
                /** @example out of order */
                responseBody: string | null;
            }[];
            /** Format: date-time */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "reason": "Sent back by bank transfer."
         *     }
         */
        DismissInput: {
            reason?: string | null;
        };
        ErrorEnvelope: {
            error: {
                /** @enum {string} */
                code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INSUFFICIENT_STOCK" | "UNAVAILABLE" | "INTERNAL_ERROR";
                message: string;
                details?: {
                    field: string;
                    reason: string;
                    message: string;
                }[];
            };
        };
        /**
         * @example {
         *       "method": "transfer",
         *       "amount": "32.00",
         *       "reference": "statement 117"
         *     }
         */
        ManualPaymentInput: {
            /** @example transfer */
            method: string;
            /** @example 32.00 */
            amount: string;
            reference?: string | null;
            /** Format: date-time */
            paidAt?: string | null;
        };
        Media: {
            /**
             * Format: uuid
             * @example 0193d3ec-02d8-7d24-b607-1c9e3f5d7b80
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /**
             * Format: uri-reference
             * @example https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg
             */
            url: string;
            /**
             * @example image/jpeg
             * @enum {string}
             */
            mimeType: "image/jpeg" | "image/png" | "image/webp" | "image/gif";
            /** @example 1600 */
            width: number;
            /** @example 1200 */
            height: number;
            /** @example 245760 */
            fileSize: number;
            /** @example A blue mug on a table */
            altText: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:30:00.000Z
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "altText": "A blue mug on a table"
         *     }
         */
        MediaChanges: {
            /** @example A blue mug on a table */
            altText?: string | null;
        };
        Order: {
            /**
             * Format: uuid
             * @example 0193d3f0-4bb8-7168-ba4b-50d273910fcc
             */
            id: string;
            /** @example ORD-1001 */
            orderNumber: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /**
             * Format: uuid
             * @example 0193d3ee-3548-7f46-9829-3eb0517f9dae
             */
            customerId: string | null;
            /** @example 25.00 */
            subtotal: string;
            /** @example 2.00 */
            tax: string;
            /** @example 0.08 */
            taxRate: string;
            /** @example 5.00 */
            shipping: string;
            /** @example 0.00 */
            discount: string;
            discountCode: string | null;
            /** @example 32.00 */
            total: string;
            /** @example 0.00 */
            refundedAmount: string;
            /** @example EUR */
            currency: string;
            /**
             * @example paid
             * @enum {string}
             */
            status: "pending" | "paid" | "fulfilled" | "cancelled" | "refunded";
            /**
             * @example succeeded
             * @enum {string}
             */
            paymentStatus: "pending" | "processing" | "succeeded" | "failed" | "refunded" | "partially_refunded" | "cancelled";
            /** @example stripe */
            paymentProvider: string | null;
            /** @example pi_3QNd2eLkdIwHu7ix0Xy1ZaBc */
            paymentId: string | null;
            /** @example card */
            paymentMethod: string | null;
            /**
             * @example {
             *       "last4": "4242",
             *       "brand": "visa",
             *       "expMonth": 12,
             *       "expYear": 2030
             *     }
             */
            paymentDetails: {
                [key: string]: string | number;
            } | null;
            shippingAddress: components["schemas"]["AddressSnapshot"] | null;
            billingAddress: components["schemas"]["AddressSnapshot"] | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:05:00.000Z
             */
            placedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:05:00.000Z
             */
            paidAt: string | null;
            /** Format: date-time */
            fulfilledAt: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:05:00.000Z
             */
            updatedAt: string;
            /** @example Please ring twice. */
            customerNote: string | null;
            merchantNote: string | null;
            items: components["schemas"]["OrderItem"][];
            /**
             * @example null
             * @enum {string|null}
             */
            cancelReason: "requested" | "expired" | null;
        };
        /**
         * @example {
         *       "status": "fulfilled",
         *       "merchantNote": "Sent with the morning post."
         *     }
         */
        OrderChanges: {
            merchantNote?: string | null;
            /**
             * @example paid
             * @enum {string}
             */
            status?: "pending" | "paid" | "fulfilled" | "cancelled" | "refunded";
        };
        /**
         * @example {
         *       "customer": {
         *         "email": "ada@shop.test",
         *         "name": "Ada Lovelace"
         *       },
         *       "items": [
         *         {
         *           "sku": "MUG",
         *           "quantity": 2
         *         }
         *       ],
         *       "taxRate": "0.08",
         *       "shipping": "5.00"
         *     }
         */
        OrderInput: {
            /**
             * Format: uuid
             * @example 0193d3f0-4bb8-7168-ba4b-50d273910fcc
             */
            id?: string;
            /** @example 0193d3ee-3548-7f46-9829-3eb0517f9dae */
            customerId?: string | null;
            customer?: {
                /** Format: email */
                email: string;
                name?: string | null;
                phone?: string | null;
            } | null;
            items: {
                /** @example 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52 */
                productId?: string;
                sku?: string;
                /** @example 2 */
                quantity: number;
                /** @example 0.00 */
                lineDiscount?: string;
                variantTitle?: string | null;
            }[];
            /** @example 0.08 */
            taxRate?: string;
            /** @example 5.00 */
            shipping?: string;
            /** @example 0.00 */
            discount?: string;
            discountCode?: string | null;
            shippingAddress?: {
                /** @example Ada */
                firstName?: string | null;
                /** @example Lovelace */
                lastName?: string | null;
                /** @example 12 St James Square */
                address1?: string | null;
                address2?: string | null;
                /** @example London */
                city?: string | null;
                region?: string | null;
                /** @example SW1Y 4JH */
                postalCode?: string | null;
                /** @example GB */
                country?: string | null;
                company?: string | null;
                phone?: string | null;
            } | null;
            billingAddress?: {
                /** @example Ada */
                firstName?: string | null;
                /** @example Lovelace */
                lastName?: string | null;
                /** @example 12 St James Square */
                address1?: string | null;
                address2?: string | null;
                /** @example London */
                city?: string | null;
                region?: string | null;
                /** @example SW1Y 4JH */
                postalCode?: string | null;
                /** @example GB */
                country?: string | null;
                company?: string | null;
                phone?: string | null;
            } | null;
            /** @example Please ring twice. */
            customerNote?: string | null;
        };
        OrderItem: {
            /**
             * Format: uuid
             * @example 0193d3f1-d6f0-7279-8b5c-61e38402a1db
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3f0-4bb8-7168-ba4b-50d273910fcc
             */
            orderId: string;
            /**
             * Format: uuid
             * @example 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52
             */
            productId: string;
            /** @example Blue mug */
            titleSnapshot: string;
            /** @example MUG */
            skuSnapshot: string | null;
            /** @example 2 */
            quantity: number;
            /** @example 12.50 */
            unitPrice: string;
            variantTitle: string | null;
            /**
             * @example {
             *       "color": "blue"
             *     }
             */
            attributesSnapshot: {
                [key: string]: string;
            };
            /** @example 0.00 */
            lineDiscount: string;
            /**
             * Format: uuid
             * @example 0193d3ec-02d8-7d24-b607-1c9e3f5d7b80
             */
            primaryImageId: string | null;
        };
        Page: {
            /**
             * Format: uuid
             * @example 0193d3ed-9e10-7e35-8718-2daf406e8c9f
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /** @example Imprint */
            title: string;
            /** @example imprint */
            slug: string;
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published" | "archived" | "deleted";
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            publishedAt: string | null;
            seoTitle: string | null;
            seoDescription: string | null;
            seoKeywords: string | null;
            /** Format: uuid */
            seoImageId: string | null;
            /** @example <p>Shop Ltd.</p> */
            content: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:30:00.000Z
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "content": "<p>Shop Ltd., London</p>"
         *     }
         */
        PageChanges: {
            /** @example Imprint */
            title?: string;
            /** @example imprint */
            slug?: string;
            /**
             * @example published
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            seoTitle?: string | null;
            seoDescription?: string | null;
            seoKeywords?: string | null;
            seoImageId?: string | null;
            /** @example <p>Shop Ltd.</p> */
            content?: string | null;
        };
        /**
         * @example {
         *       "title": "Imprint",
         *       "slug": "imprint",
         *       "content": "<p>Shop Ltd.</p>",
         *       "status": "published"
         *     }
         */
        PageInput: {
            /** @example Imprint */
            title: string;
            /** @example imprint */
            slug: string;
            /**
             * @example published
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            seoTitle?: string | null;
            seoDescription?: string | null;
            seoKeywords?: string | null;
            seoImageId?: string | null;
            /** @example <p>Shop Ltd.</p> */
            content?: string | null;
        };
        Payment: {
            /**
             * Format: uuid
             * @example 0193d3f6-8e38-77ce-9a01-b6384957f628
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /**
             * @example stripe
             * @enum {string}
             */
            provider: "stripe" | "paypal" | "square" | "manual";
            /** @example pi_3QNd2eLkdIwHu7ix0Xy1ZaBc */
            providerPaymentId: string;
            relatedIds: {
                /** @example pi_3QNd2eLkdIwHu7ix0Xy1ZaBc */
                intent?: string;
                /** @example ch_3QNd2eLkdIwHu7ix0Xy1ZaBc */
                charge?: string;
                /** @example cs_test_a1b2c3 */
                session?: string;
                /** @example 3C679366HH908993F */
                capture?: string;
                /** @example 5O190127TN364715T */
                order?: string;
            };
            /**
             * Format: uuid
             * @example 0193d3f0-4bb8-7168-ba4b-50d273910fcc
             */
            orderId: string | null;
            /**
             * @example succeeded
             * @enum {string}
             */
            status: "processing" | "succeeded" | "failed" | "cancelled";
            /** @example 32.00 */
            amount: string | null;
            /** @example EUR */
            currency: string | null;
            /** @example 32.00 */
            capturedAmount: string;
            /** @example 0.00 */
            refundedAmount: string;
            /**
             * @example paid
             * @enum {string|null}
             */
            matched: "paid" | "second" | "mismatch" | "wrongPayee" | "cancelledOrder" | "insufficientStock" | "refunded" | "none" | "dismissed" | null;
            /** @example card */
            method: string | null;
            reference: string | null;
            /** Format: date-time */
            dismissedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:05:00.000Z
             */
            paidAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:05:00.000Z
             */
            updatedAt: string;
        };
        Product: {
            /**
             * Format: uuid
             * @example 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /** @example Blue mug */
            title: string;
            /** @example blue-mug */
            slug: string;
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published" | "archived" | "deleted";
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            publishedAt: string | null;
            seoTitle: string | null;
            seoDescription: string | null;
            seoKeywords: string | null;
            /** Format: uuid */
            seoImageId: string | null;
            /** @example A mug, and it is blue. */
            description: string | null;
            /** @example 12.50 */
            price: string;
            /** @example 15.00 */
            compareAtPrice: string | null;
            /** @example MUG */
            sku: string | null;
            barcode: string | null;
            /** @example mugs */
            variantGroupId: string | null;
            /**
             * @example {
             *       "color": "blue"
             *     }
             */
            attributes: {
                [key: string]: string;
            };
            /** @example true */
            trackStock: boolean;
            /** @example 10 */
            stock: number;
            /** @example false */
            allowBackorder: boolean;
            /** @example 2 */
            lowStockThreshold: number | null;
            /**
             * @example [
             *       "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
             *     ]
             */
            categoryIds: string[];
            /**
             * Format: uuid
             * @example 0193d3ec-02d8-7d24-b607-1c9e3f5d7b80
             */
            primaryMediaId: string | null;
            /**
             * @example [
             *       "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
             *     ]
             */
            mediaIds: string[];
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:30:00.000Z
             */
            updatedAt: string;
        };
        ProductAttributes: {
            /**
             * @example [
             *       "color",
             *       "size"
             *     ]
             */
            keys: string[];
            /**
             * @example {
             *       "color": [
             *         "blue",
             *         "red"
             *       ],
             *       "size": [
             *         "L",
             *         "M"
             *       ]
             *     }
             */
            values: {
                [key: string]: string[];
            };
        };
        /**
         * @example {
         *       "price": "11.00",
         *       "compareAtPrice": "12.50"
         *     }
         */
        ProductChanges: {
            /** @example Blue mug */
            title?: string;
            /** @example blue-mug */
            slug?: string;
            /**
             * @example published
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            seoTitle?: string | null;
            seoDescription?: string | null;
            seoKeywords?: string | null;
            seoImageId?: string | null;
            /** @example A mug, and it is blue. */
            description?: string | null;
            /** @example 12.50 */
            price?: string;
            /** @example 15.00 */
            compareAtPrice?: string | null;
            /** @example MUG */
            sku?: string | null;
            barcode?: string | null;
            /** @example mugs */
            variantGroupId?: string | null;
            /**
             * @example {
             *       "color": "blue"
             *     }
             */
            attributes?: {
                [key: string]: string;
            };
            /** @example true */
            trackStock?: boolean;
            /** @example 10 */
            stock?: number;
            /** @example false */
            allowBackorder?: boolean;
            /** @example 2 */
            lowStockThreshold?: number | null;
            /**
             * @example [
             *       "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
             *     ]
             */
            categoryIds?: string[];
            /** @example 0193d3ec-02d8-7d24-b607-1c9e3f5d7b80 */
            primaryMediaId?: string | null;
            /**
             * @example [
             *       "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
             *     ]
             */
            mediaIds?: string[];
        };
        /**
         * @example {
         *       "title": "Blue mug",
         *       "slug": "blue-mug",
         *       "price": "12.50",
         *       "sku": "MUG",
         *       "status": "published",
         *       "attributes": {
         *         "color": "blue"
         *       },
         *       "trackStock": true,
         *       "stock": 10
         *     }
         */
        ProductInput: {
            /** @example Blue mug */
            title: string;
            /** @example blue-mug */
            slug: string;
            /**
             * @example published
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            seoTitle?: string | null;
            seoDescription?: string | null;
            seoKeywords?: string | null;
            seoImageId?: string | null;
            /** @example A mug, and it is blue. */
            description?: string | null;
            /** @example 12.50 */
            price: string;
            /** @example 15.00 */
            compareAtPrice?: string | null;
            /** @example MUG */
            sku?: string | null;
            barcode?: string | null;
            /** @example mugs */
            variantGroupId?: string | null;
            /**
             * @example {
             *       "color": "blue"
             *     }
             */
            attributes?: {
                [key: string]: string;
            };
            /** @example true */
            trackStock?: boolean;
            /** @example 10 */
            stock?: number;
            /** @example false */
            allowBackorder?: boolean;
            /** @example 2 */
            lowStockThreshold?: number | null;
            /**
             * @example [
             *       "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
             *     ]
             */
            categoryIds?: string[];
            /** @example 0193d3ec-02d8-7d24-b607-1c9e3f5d7b80 */
            primaryMediaId?: string | null;
            /**
             * @example [
             *       "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
             *     ]
             */
            mediaIds?: string[];
        };
        ReceiverAnswer: {
            /**
             * @example true
             * @constant
             */
            received: true;
            /**
             * @example paid
             * @enum {string}
             */
            outcome: "paid" | "recorded" | "unchanged" | "ignored" | "order_not_found" | "unreadable_items" | "amount_mismatch" | "wrong_payee" | "order_cancelled" | "second_payment" | "insufficient_stock";
            warning?: string;
        };
        Refund: {
            /** @example re_3QNd2eLkdIwHu7ix */
            refundId: string;
            /** @example 5.00 */
            amount: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:00:00.000Z
             */
            recordedAt: string;
        };
        /**
         * @example {
         *       "amount": "5.00",
         *       "refundId": "re_3QNd2eLkdIwHu7ix",
         *       "reason": "One mug was chipped."
         *     }
         */
        RefundInput: {
            /** @example 5.00 */
            amount: string;
            reason?: string | null;
            /** @example re_3QNd2eLkdIwHu7ix */
            refundId?: string | null;
            restock?: boolean | unknown[] | null;
        };
        Replay: {
            /** @example 12 */
            queued: number;
        };
        /**
         * @example {
         *       "since": "2026-11-20T08:00:00Z"
         *     }
         */
        ReplayInput: {
            /**
             * Format: date-time
             * @example 2026-11-20T08:00:00Z
             */
            since: string;
            all?: boolean;
        };
        /**
         * @example {
         *       "adjustment": 12,
         *       "reason": "Delivery of Monday"
         *     }
         */
        StockAdjustment: {
            /** @example 12 */
            adjustment: number;
            reason?: string | null;
        };
        Webhook: {
            /**
             * Format: uuid
             * @example 0193d3f2-6228-738a-9c6d-72f49513b2ea
             */
            id: string;
            /**
             * Format: uuid
             * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
             */
            storeId: string;
            /**
             * Format: uri
             * @example https://shop.test/hooks
             */
            url: string;
            /**
             * @example [
             *       "order.paid",
             *       "order.updated"
             *     ]
             */
            events: ("product.created" | "product.updated" | "product.deleted" | "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.refunded" | "customer.created" | "customer.updated" | "customer.deleted" | "category.created" | "category.updated" | "category.deleted" | "page.created" | "page.updated" | "page.deleted" | "media.created" | "media.updated" | "media.deleted" | "payment.unmatched" | "payment.dismissed")[];
            /** @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
            secret: string;
            /** @example true */
            isActive: boolean;
            /** @example every delivery since 2026-11-20T08:00:00.000Z has failed */
            disabledReason: string | null;
            /**
             * @example sha256
             * @enum {string}
             */
            signatureFormat: "sha256" | "hex";
            /** @example 4 */
            retries: number;
            /** Format: date-time */
            lastTriggeredAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "isActive": false
         *     }
         */
        WebhookChanges: {
            /**
             * Format: uri
             * @example https://shop.test/hooks
             */
            url?: string;
            /**
             * @example [
             *       "order.*"
             *     ]
             */
            events?: ("product.created" | "product.updated" | "product.deleted" | "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.refunded" | "customer.created" | "customer.updated" | "customer.deleted" | "category.created" | "category.updated" | "category.deleted" | "page.created" | "page.updated" | "page.deleted" | "media.created" | "media.updated" | "media.deleted" | "payment.unmatched" | "payment.dismissed" | "product.*" | "order.*" | "customer.*" | "category.*" | "page.*" | "media.*" | "payment.*")[];
            /** @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
            secret?: string;
            /** @example true */
            isActive?: boolean;
            /**
             * @example sha256
             * @enum {string}
             */
            signatureFormat?: "sha256" | "hex";
            /** @example 4 */
            retries?: number;
        };
        /**
         * @example {
         *       "url": "https://shop.test/hooks",
         *       "events": [
         *         "order.*",
         *         "product.updated"
         *       ]
         *     }
         */
        WebhookInput: {
            /**
             * Format: uri
             * @example https://shop.test/hooks
             */
            url: string;
            /**
             * @example [
             *       "order.*"
             *     ]
             */
            events: ("product.created" | "product.updated" | "product.deleted" | "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.refunded" | "customer.created" | "customer.updated" | "customer.deleted" | "category.created" | "category.updated" | "category.deleted" | "page.created" | "page.updated" | "page.deleted" | "media.created" | "media.updated" | "media.deleted" | "payment.unmatched" | "payment.dismissed" | "product.*" | "order.*" | "customer.*" | "category.*" | "page.*" | "media.*" | "payment.*")[];
            /** @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
            secret?: string;
            /** @example true */
            isActive?: boolean;
            /**
             * @example sha256
             * @enum {string}
             */
            signatureFormat?: "sha256" | "hex";
            /** @example 4 */
            retries?: number;
        };
    };
    responses: {
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        ConflictOrInsufficientStock: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        Validation: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
    };
    parameters: {
        IdempotencyKey: string;
        IfMatch: string;
        IfNoneMatch: string;
        Sender: "Commerce-Webhook/1.0";
        StandardId: string;
        StandardSignature: string;
        StandardTimestamp: string;
        StoreId: string;
        WebhookId: string;
        WebhookSignature: string;
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: {
        Allow: string;
        ETag: string;
        "Idempotent-Replayed": "true";
        "RateLimit-Limit": number;
        "RateLimit-Remaining": number;
        "RateLimit-Reset": number;
        "Retry-After": number;
        "WWW-Authenticate": "Bearer";
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProducts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "draft" | "published" | "archived";
                slug?: string;
                sku?: string;
                variantGroupId?: string;
                categoryId?: string;
                search?: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "title": "Blue mug",
                     *           "slug": "blue-mug",
                     *           "status": "published",
                     *           "publishedAt": "2026-11-20T12:00:00.000Z",
                     *           "seoTitle": null,
                     *           "seoDescription": null,
                     *           "seoKeywords": null,
                     *           "seoImageId": null,
                     *           "price": "12.50",
                     *           "compareAtPrice": "15.00",
                     *           "sku": "MUG",
                     *           "barcode": null,
                     *           "variantGroupId": "mugs",
                     *           "attributes": {
                     *             "color": "blue"
                     *           },
                     *           "trackStock": true,
                     *           "stock": 10,
                     *           "allowBackorder": false,
                     *           "lowStockThreshold": 2,
                     *           "categoryIds": [
                     *             "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *           ],
                     *           "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *           "mediaIds": [
                     *             "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *           ],
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Product"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Blue mug",
                 *       "slug": "blue-mug",
                 *       "price": "12.50",
                 *       "sku": "MUG",
                 *       "status": "published",
                 *       "attributes": {
                 *         "color": "blue"
                 *       },
                 *       "trackStock": true,
                 *       "stock": 10
                 *     }
                 */
                "application/json": components["schemas"]["ProductInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Blue mug",
                     *         "slug": "blue-mug",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "price": "12.50",
                     *         "compareAtPrice": "15.00",
                     *         "sku": "MUG",
                     *         "barcode": null,
                     *         "variantGroupId": "mugs",
                     *         "attributes": {
                     *           "color": "blue"
                     *         },
                     *         "trackStock": true,
                     *         "stock": 10,
                     *         "allowBackorder": false,
                     *         "lowStockThreshold": 2,
                     *         "categoryIds": [
                     *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *         ],
                     *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "mediaIds": [
                     *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Product"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Blue mug",
                     *         "slug": "blue-mug",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "price": "12.50",
                     *         "compareAtPrice": "15.00",
                     *         "sku": "MUG",
                     *         "barcode": null,
                     *         "variantGroupId": "mugs",
                     *         "attributes": {
                     *           "color": "blue"
                     *         },
                     *         "trackStock": true,
                     *         "stock": 10,
                     *         "allowBackorder": false,
                     *         "lowStockThreshold": 2,
                     *         "categoryIds": [
                     *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *         ],
                     *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "mediaIds": [
                     *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Product"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": "11.00",
                 *       "compareAtPrice": "12.50"
                 *     }
                 */
                "application/json": components["schemas"]["ProductChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Blue mug",
                     *         "slug": "blue-mug",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "price": "12.50",
                     *         "compareAtPrice": "15.00",
                     *         "sku": "MUG",
                     *         "barcode": null,
                     *         "variantGroupId": "mugs",
                     *         "attributes": {
                     *           "color": "blue"
                     *         },
                     *         "trackStock": true,
                     *         "stock": 10,
                     *         "allowBackorder": false,
                     *         "lowStockThreshold": 2,
                     *         "categoryIds": [
                     *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *         ],
                     *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "mediaIds": [
                     *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Product"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchProduct: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": "11.00",
                 *       "compareAtPrice": "12.50"
                 *     }
                 */
                "application/json": components["schemas"]["ProductChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Blue mug",
                     *         "slug": "blue-mug",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "price": "12.50",
                     *         "compareAtPrice": "15.00",
                     *         "sku": "MUG",
                     *         "barcode": null,
                     *         "variantGroupId": "mugs",
                     *         "attributes": {
                     *           "color": "blue"
                     *         },
                     *         "trackStock": true,
                     *         "stock": 10,
                     *         "allowBackorder": false,
                     *         "lowStockThreshold": 2,
                     *         "categoryIds": [
                     *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *         ],
                     *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "mediaIds": [
                     *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Product"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adjustStock: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "adjustment": 12,
                 *       "reason": "Delivery of Monday"
                 *     }
                 */
                "application/json": components["schemas"]["StockAdjustment"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Blue mug",
                     *         "slug": "blue-mug",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "price": "12.50",
                     *         "compareAtPrice": "15.00",
                     *         "sku": "MUG",
                     *         "barcode": null,
                     *         "variantGroupId": "mugs",
                     *         "attributes": {
                     *           "color": "blue"
                     *         },
                     *         "trackStock": true,
                     *         "stock": 10,
                     *         "allowBackorder": false,
                     *         "lowStockThreshold": 2,
                     *         "categoryIds": [
                     *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *         ],
                     *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "mediaIds": [
                     *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Product"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProductAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         "color",
                     *         "size"
                     *       ],
                     *       "values": {
                     *         "color": [
                     *           "blue",
                     *           "red"
                     *         ],
                     *         "size": [
                     *           "L",
                     *           "M"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProductAttributes"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProductsByAttributes: {
        parameters: {
            query: {
                limit?: number;
                offset?: number;
                status?: "draft" | "published" | "archived";
                attributes: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "title": "Blue mug",
                     *           "slug": "blue-mug",
                     *           "status": "published",
                     *           "publishedAt": "2026-11-20T12:00:00.000Z",
                     *           "seoTitle": null,
                     *           "seoDescription": null,
                     *           "seoKeywords": null,
                     *           "seoImageId": null,
                     *           "price": "12.50",
                     *           "compareAtPrice": "15.00",
                     *           "sku": "MUG",
                     *           "barcode": null,
                     *           "variantGroupId": "mugs",
                     *           "attributes": {
                     *             "color": "blue"
                     *           },
                     *           "trackStock": true,
                     *           "stock": 10,
                     *           "allowBackorder": false,
                     *           "lowStockThreshold": 2,
                     *           "categoryIds": [
                     *             "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *           ],
                     *           "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *           "mediaIds": [
                     *             "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *           ],
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Product"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listVariantGroup: {
        parameters: {
            query: {
                limit?: number;
                offset?: number;
                variantGroupId: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "title": "Blue mug",
                     *           "slug": "blue-mug",
                     *           "status": "published",
                     *           "publishedAt": "2026-11-20T12:00:00.000Z",
                     *           "seoTitle": null,
                     *           "seoDescription": null,
                     *           "seoKeywords": null,
                     *           "seoImageId": null,
                     *           "price": "12.50",
                     *           "compareAtPrice": "15.00",
                     *           "sku": "MUG",
                     *           "barcode": null,
                     *           "variantGroupId": "mugs",
                     *           "attributes": {
                     *             "color": "blue"
                     *           },
                     *           "trackStock": true,
                     *           "stock": 10,
                     *           "allowBackorder": false,
                     *           "lowStockThreshold": 2,
                     *           "categoryIds": [
                     *             "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                     *           ],
                     *           "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *           "mediaIds": [
                     *             "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *           ],
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Product"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "draft" | "published" | "archived";
                slug?: string;
                parentId?: string;
                search?: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "name": "Mugs",
                     *           "slug": "mugs",
                     *           "status": "published",
                     *           "publishedAt": "2026-11-20T12:00:00.000Z",
                     *           "seoTitle": null,
                     *           "seoDescription": null,
                     *           "seoKeywords": null,
                     *           "seoImageId": null,
                     *           "description": null,
                     *           "parentId": null,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Category"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mugs",
                 *       "slug": "mugs",
                 *       "status": "published"
                 *     }
                 */
                "application/json": components["schemas"]["CategoryInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "name": "Mugs",
                     *         "slug": "mugs",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "description": null,
                     *         "parentId": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Category"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "name": "Mugs",
                     *         "slug": "mugs",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "description": null,
                     *         "parentId": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Category"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mugs and cups"
                 *     }
                 */
                "application/json": components["schemas"]["CategoryChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "name": "Mugs",
                     *         "slug": "mugs",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "description": null,
                     *         "parentId": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Category"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchCategory: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mugs and cups"
                 *     }
                 */
                "application/json": components["schemas"]["CategoryChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "name": "Mugs",
                     *         "slug": "mugs",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "description": null,
                     *         "parentId": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Category"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                email?: string;
                search?: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "email": "ada@shop.test",
                     *           "name": "Ada Lovelace",
                     *           "phone": null,
                     *           "marketingOptIn": false,
                     *           "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *           "addresses": [
                     *             {
                     *               "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *               "firstName": "Ada",
                     *               "lastName": "Lovelace",
                     *               "company": null,
                     *               "address1": "12 St James Square",
                     *               "address2": null,
                     *               "city": "London",
                     *               "region": null,
                     *               "postalCode": "SW1Y 4JH",
                     *               "country": "GB",
                     *               "phone": null,
                     *               "isDefault": true,
                     *               "createdAt": "2026-11-20T12:00:00.000Z",
                     *               "updatedAt": "2026-11-20T12:00:00.000Z"
                     *             }
                     *           ],
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Customer"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@shop.test",
                 *       "name": "Ada Lovelace",
                 *       "addresses": [
                 *         {
                 *           "address1": "12 St James Square",
                 *           "city": "London",
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CustomerInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "email": "ada@shop.test",
                     *         "name": "Ada Lovelace",
                     *         "phone": null,
                     *         "marketingOptIn": false,
                     *         "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *         "addresses": [
                     *           {
                     *             "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *             "firstName": "Ada",
                     *             "lastName": "Lovelace",
                     *             "company": null,
                     *             "address1": "12 St James Square",
                     *             "address2": null,
                     *             "city": "London",
                     *             "region": null,
                     *             "postalCode": "SW1Y 4JH",
                     *             "country": "GB",
                     *             "phone": null,
                     *             "isDefault": true,
                     *             "createdAt": "2026-11-20T12:00:00.000Z",
                     *             "updatedAt": "2026-11-20T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "email": "ada@shop.test",
                     *         "name": "Ada Lovelace",
                     *         "phone": null,
                     *         "marketingOptIn": false,
                     *         "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *         "addresses": [
                     *           {
                     *             "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *             "firstName": "Ada",
                     *             "lastName": "Lovelace",
                     *             "company": null,
                     *             "address1": "12 St James Square",
                     *             "address2": null,
                     *             "city": "London",
                     *             "region": null,
                     *             "postalCode": "SW1Y 4JH",
                     *             "country": "GB",
                     *             "phone": null,
                     *             "isDefault": true,
                     *             "createdAt": "2026-11-20T12:00:00.000Z",
                     *             "updatedAt": "2026-11-20T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Customer"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "marketingOptIn": true
                 *     }
                 */
                "application/json": components["schemas"]["CustomerChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "email": "ada@shop.test",
                     *         "name": "Ada Lovelace",
                     *         "phone": null,
                     *         "marketingOptIn": false,
                     *         "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *         "addresses": [
                     *           {
                     *             "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *             "firstName": "Ada",
                     *             "lastName": "Lovelace",
                     *             "company": null,
                     *             "address1": "12 St James Square",
                     *             "address2": null,
                     *             "city": "London",
                     *             "region": null,
                     *             "postalCode": "SW1Y 4JH",
                     *             "country": "GB",
                     *             "phone": null,
                     *             "isDefault": true,
                     *             "createdAt": "2026-11-20T12:00:00.000Z",
                     *             "updatedAt": "2026-11-20T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchCustomer: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "marketingOptIn": true
                 *     }
                 */
                "application/json": components["schemas"]["CustomerChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "email": "ada@shop.test",
                     *         "name": "Ada Lovelace",
                     *         "phone": null,
                     *         "marketingOptIn": false,
                     *         "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *         "addresses": [
                     *           {
                     *             "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                     *             "firstName": "Ada",
                     *             "lastName": "Lovelace",
                     *             "company": null,
                     *             "address1": "12 St James Square",
                     *             "address2": null,
                     *             "city": "London",
                     *             "region": null,
                     *             "postalCode": "SW1Y 4JH",
                     *             "country": "GB",
                     *             "phone": null,
                     *             "isDefault": true,
                     *             "createdAt": "2026-11-20T12:00:00.000Z",
                     *             "updatedAt": "2026-11-20T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Customer"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPages: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "draft" | "published" | "archived";
                slug?: string;
                search?: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "title": "Imprint",
                     *           "slug": "imprint",
                     *           "status": "published",
                     *           "publishedAt": "2026-11-20T12:00:00.000Z",
                     *           "seoTitle": null,
                     *           "seoDescription": null,
                     *           "seoKeywords": null,
                     *           "seoImageId": null,
                     *           "content": "<p>Shop Ltd.</p>",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Page"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Imprint",
                 *       "slug": "imprint",
                 *       "content": "<p>Shop Ltd.</p>",
                 *       "status": "published"
                 *     }
                 */
                "application/json": components["schemas"]["PageInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Imprint",
                     *         "slug": "imprint",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "content": "<p>Shop Ltd.</p>",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPage: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Imprint",
                     *         "slug": "imprint",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "content": "<p>Shop Ltd.</p>",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Page"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "<p>Shop Ltd., London</p>"
                 *     }
                 */
                "application/json": components["schemas"]["PageChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Imprint",
                     *         "slug": "imprint",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "content": "<p>Shop Ltd.</p>",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "<p>Shop Ltd., London</p>"
                 *     }
                 */
                "application/json": components["schemas"]["PageChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "title": "Imprint",
                     *         "slug": "imprint",
                     *         "status": "published",
                     *         "publishedAt": "2026-11-20T12:00:00.000Z",
                     *         "seoTitle": null,
                     *         "seoDescription": null,
                     *         "seoKeywords": null,
                     *         "seoImageId": null,
                     *         "content": "<p>Shop Ltd.</p>",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Page"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3f3-ed60-749b-ad7e-83051624c3f9",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "name": "Storefront",
                     *           "prefix": "ck_live_9fXa",
                     *           "scopes": [
                     *             "product.read",
                     *             "category.read"
                     *           ],
                     *           "lastUsedAt": null,
                     *           "expiresAt": null,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "createdBy": "0193d3f3-ed60-749b-ad7e-83051624c3f9"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ApiKey"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Storefront",
                 *       "scopes": [
                 *         "product.read",
                 *         "category.read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f3-ed60-749b-ad7e-83051624c3f9",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "name": "Storefront",
                     *         "prefix": "ck_live_9fXa",
                     *         "scopes": [
                     *           "product.read",
                     *           "category.read"
                     *         ],
                     *         "lastUsedAt": null,
                     *         "expiresAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "createdBy": "0193d3f3-ed60-749b-ad7e-83051624c3f9",
                     *         "key": "ck_live_9fXaT0mWq3ZsK7yBv1LrC5uJd8HgN2pEiR4oVwMxYtQk"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["CreatedApiKey"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f3-ed60-749b-ad7e-83051624c3f9",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "name": "Storefront",
                     *         "prefix": "ck_live_9fXa",
                     *         "scopes": [
                     *           "product.read",
                     *           "category.read"
                     *         ],
                     *         "lastUsedAt": null,
                     *         "expiresAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "createdBy": "0193d3f3-ed60-749b-ad7e-83051624c3f9"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["ApiKey"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                resourceType?: string;
                resourceId?: string;
                action?: string;
                actorId?: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3f4-7898-75ac-be8f-94162735d408",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "actorType": "apiKey",
                     *           "actorId": "0193d3f3-ed60-749b-ad7e-83051624c3f9",
                     *           "action": "product.updated",
                     *           "resourceType": "product",
                     *           "resourceId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *           "changes": {
                     *             "price": {
                     *               "from": "10.00",
                     *               "to": "12.50"
                     *             }
                     *           },
                     *           "requestId": "7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b",
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AuditLog"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuditLog: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f4-7898-75ac-be8f-94162735d408",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "actorType": "apiKey",
                     *         "actorId": "0193d3f3-ed60-749b-ad7e-83051624c3f9",
                     *         "action": "product.updated",
                     *         "resourceType": "product",
                     *         "resourceId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *         "changes": {
                     *           "price": {
                     *             "from": "10.00",
                     *             "to": "12.50"
                     *           }
                     *         },
                     *         "requestId": "7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b",
                     *         "createdAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["AuditLog"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "pending" | "paid" | "fulfilled" | "cancelled" | "refunded";
                paymentStatus?: "pending" | "processing" | "succeeded" | "failed" | "refunded" | "partially_refunded" | "cancelled";
                customerId?: string;
                orderNumber?: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *           "orderNumber": "ORD-1001",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *           "subtotal": "25.00",
                     *           "tax": "2.00",
                     *           "taxRate": "0.08",
                     *           "shipping": "5.00",
                     *           "discount": "0.00",
                     *           "discountCode": null,
                     *           "total": "32.00",
                     *           "refundedAmount": "0.00",
                     *           "currency": "EUR",
                     *           "status": "paid",
                     *           "paymentStatus": "succeeded",
                     *           "paymentProvider": "stripe",
                     *           "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *           "paymentMethod": "card",
                     *           "paymentDetails": {
                     *             "last4": "4242",
                     *             "brand": "visa",
                     *             "expMonth": 12,
                     *             "expYear": 2030
                     *           },
                     *           "shippingAddress": {
                     *             "firstName": "Ada",
                     *             "lastName": "Lovelace",
                     *             "address1": "12 St James Square",
                     *             "address2": null,
                     *             "city": "London",
                     *             "region": null,
                     *             "postalCode": "SW1Y 4JH",
                     *             "country": "GB",
                     *             "company": null,
                     *             "phone": null
                     *           },
                     *           "billingAddress": {
                     *             "firstName": "Ada",
                     *             "lastName": "Lovelace",
                     *             "address1": "12 St James Square",
                     *             "address2": null,
                     *             "city": "London",
                     *             "region": null,
                     *             "postalCode": "SW1Y 4JH",
                     *             "country": "GB",
                     *             "company": null,
                     *             "phone": null
                     *           },
                     *           "placedAt": "2026-11-20T12:05:00.000Z",
                     *           "paidAt": "2026-11-20T12:05:00.000Z",
                     *           "fulfilledAt": null,
                     *           "cancelledAt": null,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:05:00.000Z",
                     *           "customerNote": "Please ring twice.",
                     *           "merchantNote": null,
                     *           "items": [
                     *             {
                     *               "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                     *               "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *               "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *               "titleSnapshot": "Blue mug",
                     *               "skuSnapshot": "MUG",
                     *               "quantity": 2,
                     *               "unitPrice": "12.50",
                     *               "variantTitle": null,
                     *               "attributesSnapshot": {
                     *                 "color": "blue"
                     *               },
                     *               "lineDiscount": "0.00",
                     *               "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *             }
                     *           ],
                     *           "cancelReason": null
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Order"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": {
                 *         "email": "ada@shop.test",
                 *         "name": "Ada Lovelace"
                 *       },
                 *       "items": [
                 *         {
                 *           "sku": "MUG",
                 *           "quantity": 2
                 *         }
                 *       ],
                 *       "taxRate": "0.08",
                 *       "shipping": "5.00"
                 *     }
                 */
                "application/json": components["schemas"]["OrderInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "orderNumber": "ORD-1001",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "subtotal": "25.00",
                     *         "tax": "2.00",
                     *         "taxRate": "0.08",
                     *         "shipping": "5.00",
                     *         "discount": "0.00",
                     *         "discountCode": null,
                     *         "total": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "currency": "EUR",
                     *         "status": "paid",
                     *         "paymentStatus": "succeeded",
                     *         "paymentProvider": "stripe",
                     *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "paymentMethod": "card",
                     *         "paymentDetails": {
                     *           "last4": "4242",
                     *           "brand": "visa",
                     *           "expMonth": 12,
                     *           "expYear": 2030
                     *         },
                     *         "shippingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "billingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "placedAt": "2026-11-20T12:05:00.000Z",
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "fulfilledAt": null,
                     *         "cancelledAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z",
                     *         "customerNote": "Please ring twice.",
                     *         "merchantNote": null,
                     *         "items": [
                     *           {
                     *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                     *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *             "titleSnapshot": "Blue mug",
                     *             "skuSnapshot": "MUG",
                     *             "quantity": 2,
                     *             "unitPrice": "12.50",
                     *             "variantTitle": null,
                     *             "attributesSnapshot": {
                     *               "color": "blue"
                     *             },
                     *             "lineDiscount": "0.00",
                     *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *           }
                     *         ],
                     *         "cancelReason": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Order"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrInsufficientStock"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "orderNumber": "ORD-1001",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "subtotal": "25.00",
                     *         "tax": "2.00",
                     *         "taxRate": "0.08",
                     *         "shipping": "5.00",
                     *         "discount": "0.00",
                     *         "discountCode": null,
                     *         "total": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "currency": "EUR",
                     *         "status": "paid",
                     *         "paymentStatus": "succeeded",
                     *         "paymentProvider": "stripe",
                     *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "paymentMethod": "card",
                     *         "paymentDetails": {
                     *           "last4": "4242",
                     *           "brand": "visa",
                     *           "expMonth": 12,
                     *           "expYear": 2030
                     *         },
                     *         "shippingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "billingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "placedAt": "2026-11-20T12:05:00.000Z",
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "fulfilledAt": null,
                     *         "cancelledAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z",
                     *         "customerNote": "Please ring twice.",
                     *         "merchantNote": null,
                     *         "items": [
                     *           {
                     *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                     *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *             "titleSnapshot": "Blue mug",
                     *             "skuSnapshot": "MUG",
                     *             "quantity": 2,
                     *             "unitPrice": "12.50",
                     *             "variantTitle": null,
                     *             "attributesSnapshot": {
                     *               "color": "blue"
                     *             },
                     *             "lineDiscount": "0.00",
                     *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *           }
                     *         ],
                     *         "cancelReason": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Order"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "fulfilled",
                 *       "merchantNote": "Sent with the morning post."
                 *     }
                 */
                "application/json": components["schemas"]["OrderChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "orderNumber": "ORD-1001",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "subtotal": "25.00",
                     *         "tax": "2.00",
                     *         "taxRate": "0.08",
                     *         "shipping": "5.00",
                     *         "discount": "0.00",
                     *         "discountCode": null,
                     *         "total": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "currency": "EUR",
                     *         "status": "paid",
                     *         "paymentStatus": "succeeded",
                     *         "paymentProvider": "stripe",
                     *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "paymentMethod": "card",
                     *         "paymentDetails": {
                     *           "last4": "4242",
                     *           "brand": "visa",
                     *           "expMonth": 12,
                     *           "expYear": 2030
                     *         },
                     *         "shippingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "billingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "placedAt": "2026-11-20T12:05:00.000Z",
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "fulfilledAt": null,
                     *         "cancelledAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z",
                     *         "customerNote": "Please ring twice.",
                     *         "merchantNote": null,
                     *         "items": [
                     *           {
                     *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                     *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *             "titleSnapshot": "Blue mug",
                     *             "skuSnapshot": "MUG",
                     *             "quantity": 2,
                     *             "unitPrice": "12.50",
                     *             "variantTitle": null,
                     *             "attributesSnapshot": {
                     *               "color": "blue"
                     *             },
                     *             "lineDiscount": "0.00",
                     *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *           }
                     *         ],
                     *         "cancelReason": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Order"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchOrder: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "fulfilled",
                 *       "merchantNote": "Sent with the morning post."
                 *     }
                 */
                "application/json": components["schemas"]["OrderChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "orderNumber": "ORD-1001",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                     *         "subtotal": "25.00",
                     *         "tax": "2.00",
                     *         "taxRate": "0.08",
                     *         "shipping": "5.00",
                     *         "discount": "0.00",
                     *         "discountCode": null,
                     *         "total": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "currency": "EUR",
                     *         "status": "paid",
                     *         "paymentStatus": "succeeded",
                     *         "paymentProvider": "stripe",
                     *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "paymentMethod": "card",
                     *         "paymentDetails": {
                     *           "last4": "4242",
                     *           "brand": "visa",
                     *           "expMonth": 12,
                     *           "expYear": 2030
                     *         },
                     *         "shippingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "billingAddress": {
                     *           "firstName": "Ada",
                     *           "lastName": "Lovelace",
                     *           "address1": "12 St James Square",
                     *           "address2": null,
                     *           "city": "London",
                     *           "region": null,
                     *           "postalCode": "SW1Y 4JH",
                     *           "country": "GB",
                     *           "company": null,
                     *           "phone": null
                     *         },
                     *         "placedAt": "2026-11-20T12:05:00.000Z",
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "fulfilledAt": null,
                     *         "cancelledAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z",
                     *         "customerNote": "Please ring twice.",
                     *         "merchantNote": null,
                     *         "items": [
                     *           {
                     *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                     *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                     *             "titleSnapshot": "Blue mug",
                     *             "skuSnapshot": "MUG",
                     *             "quantity": 2,
                     *             "unitPrice": "12.50",
                     *             "variantTitle": null,
                     *             "attributesSnapshot": {
                     *               "color": "blue"
                     *             },
                     *             "lineDiscount": "0.00",
                     *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                     *           }
                     *         ],
                     *         "cancelReason": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Order"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "refundId": "re_3QNd2eLkdIwHu7ix",
                     *           "amount": "5.00",
                     *           "recordedAt": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Refund"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refundOrder: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "5.00",
                 *       "refundId": "re_3QNd2eLkdIwHu7ix",
                 *       "reason": "One mug was chipped."
                 *     }
                 */
                "application/json": components["schemas"]["RefundInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "refundId": "re_3QNd2eLkdIwHu7ix",
                     *         "amount": "5.00",
                     *         "recordedAt": "2026-11-21T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Refund"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                matched?: "paid" | "second" | "mismatch" | "wrongPayee" | "cancelledOrder" | "insufficientStock" | "refunded" | "none" | "dismissed";
                status?: "processing" | "succeeded" | "failed" | "cancelled";
                provider?: "stripe" | "paypal" | "square" | "manual";
                orderId?: string;
                unmatched?: boolean;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3f6-8e38-77ce-9a01-b6384957f628",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "provider": "stripe",
                     *           "providerPaymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *           "relatedIds": {},
                     *           "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *           "status": "succeeded",
                     *           "amount": "32.00",
                     *           "currency": "EUR",
                     *           "capturedAmount": "32.00",
                     *           "refundedAmount": "0.00",
                     *           "matched": "paid",
                     *           "method": "card",
                     *           "reference": null,
                     *           "dismissedAt": null,
                     *           "paidAt": "2026-11-20T12:05:00.000Z",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:05:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Payment"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f6-8e38-77ce-9a01-b6384957f628",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "provider": "stripe",
                     *         "providerPaymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "relatedIds": {},
                     *         "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "status": "succeeded",
                     *         "amount": "32.00",
                     *         "currency": "EUR",
                     *         "capturedAmount": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "matched": "paid",
                     *         "method": "card",
                     *         "reference": null,
                     *         "dismissedAt": null,
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Payment"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    applyPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc"
                 *     }
                 */
                "application/json": components["schemas"]["ApplyInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f6-8e38-77ce-9a01-b6384957f628",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "provider": "stripe",
                     *         "providerPaymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "relatedIds": {},
                     *         "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "status": "succeeded",
                     *         "amount": "32.00",
                     *         "currency": "EUR",
                     *         "capturedAmount": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "matched": "paid",
                     *         "method": "card",
                     *         "reference": null,
                     *         "dismissedAt": null,
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Payment"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrInsufficientStock"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    dismissPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Sent back by bank transfer."
                 *     }
                 */
                "application/json": components["schemas"]["DismissInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f6-8e38-77ce-9a01-b6384957f628",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "provider": "stripe",
                     *         "providerPaymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "relatedIds": {},
                     *         "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "status": "succeeded",
                     *         "amount": "32.00",
                     *         "currency": "EUR",
                     *         "capturedAmount": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "matched": "paid",
                     *         "method": "card",
                     *         "reference": null,
                     *         "dismissedAt": null,
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Payment"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    recordPayment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "method": "transfer",
                 *       "amount": "32.00",
                 *       "reference": "statement 117"
                 *     }
                 */
                "application/json": components["schemas"]["ManualPaymentInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f6-8e38-77ce-9a01-b6384957f628",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "provider": "stripe",
                     *         "providerPaymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                     *         "relatedIds": {},
                     *         "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                     *         "status": "succeeded",
                     *         "amount": "32.00",
                     *         "currency": "EUR",
                     *         "capturedAmount": "32.00",
                     *         "refundedAmount": "0.00",
                     *         "matched": "paid",
                     *         "method": "card",
                     *         "reference": null,
                     *         "dismissedAt": null,
                     *         "paidAt": "2026-11-20T12:05:00.000Z",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Payment"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrInsufficientStock"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMedia: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                mimeType?: string;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                     *           "mimeType": "image/jpeg",
                     *           "width": 1600,
                     *           "height": 1200,
                     *           "fileSize": 245760,
                     *           "altText": "A blue mug on a table",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Media"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadMedia: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: string[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                     *           "mimeType": "image/jpeg",
                     *           "width": 1600,
                     *           "height": 1200,
                     *           "fileSize": 245760,
                     *           "altText": "A blue mug on a table",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Media"][];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMedia: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                     *         "mimeType": "image/jpeg",
                     *         "width": 1600,
                     *         "height": 1200,
                     *         "fileSize": 245760,
                     *         "altText": "A blue mug on a table",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Media"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMedia: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "altText": "A blue mug on a table"
                 *     }
                 */
                "application/json": components["schemas"]["MediaChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                     *         "mimeType": "image/jpeg",
                     *         "width": 1600,
                     *         "height": 1200,
                     *         "fileSize": 245760,
                     *         "altText": "A blue mug on a table",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Media"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMedia: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchMedia: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "altText": "A blue mug on a table"
                 *     }
                 */
                "application/json": components["schemas"]["MediaChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                     *         "mimeType": "image/jpeg",
                     *         "width": 1600,
                     *         "height": 1200,
                     *         "fileSize": 245760,
                     *         "altText": "A blue mug on a table",
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Media"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *           "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *           "url": "https://shop.test/hooks",
                     *           "events": [
                     *             "order.paid",
                     *             "order.updated"
                     *           ],
                     *           "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *           "isActive": true,
                     *           "disabledReason": "every delivery since 2026-11-20T08:00:00.000Z has failed",
                     *           "signatureFormat": "sha256",
                     *           "retries": 4,
                     *           "lastTriggeredAt": null,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Webhook"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.test/hooks",
                 *       "events": [
                 *         "order.*",
                 *         "product.updated"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/hooks",
                     *         "events": [
                     *           "order.paid",
                     *           "order.updated"
                     *         ],
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "isActive": true,
                     *         "disabledReason": "every delivery since 2026-11-20T08:00:00.000Z has failed",
                     *         "signatureFormat": "sha256",
                     *         "retries": 4,
                     *         "lastTriggeredAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/hooks",
                     *         "events": [
                     *           "order.paid",
                     *           "order.updated"
                     *         ],
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "isActive": true,
                     *         "disabledReason": "every delivery since 2026-11-20T08:00:00.000Z has failed",
                     *         "signatureFormat": "sha256",
                     *         "retries": 4,
                     *         "lastTriggeredAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Webhook"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isActive": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/hooks",
                     *         "events": [
                     *           "order.paid",
                     *           "order.updated"
                     *         ],
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "isActive": true,
                     *         "disabledReason": "every delivery since 2026-11-20T08:00:00.000Z has failed",
                     *         "signatureFormat": "sha256",
                     *         "retries": 4,
                     *         "lastTriggeredAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isActive": false
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/hooks",
                     *         "events": [
                     *           "order.paid",
                     *           "order.updated"
                     *         ],
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "isActive": true,
                     *         "disabledReason": "every delivery since 2026-11-20T08:00:00.000Z has failed",
                     *         "signatureFormat": "sha256",
                     *         "retries": 4,
                     *         "lastTriggeredAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                     *         "url": "https://shop.test/hooks",
                     *         "events": [
                     *           "order.paid",
                     *           "order.updated"
                     *         ],
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "isActive": true,
                     *         "disabledReason": "every delivery since 2026-11-20T08:00:00.000Z has failed",
                     *         "signatureFormat": "sha256",
                     *         "retries": 4,
                     *         "lastTriggeredAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f6-8f08-77ce-80a1-b638495f6280",
                     *         "webhookId": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "eventId": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                     *         "event": "order.paid",
                     *         "status": "pending",
                     *         "attempts": [
                     *           {
                     *             "at": "2026-11-20T12:00:00.000Z",
                     *             "responseCode": 500,
                     *             "latencyMs": 38,
                     *             "error": "answered 500",
                     *             "responseBody": "out of order"
                     *           }
                     *         ],
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-20T08:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayInput"];
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "queued": 12
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Replay"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "pending" | "succeeded" | "failed" | "cancelled";
                event?: "product.created" | "product.updated" | "product.deleted" | "order.created" | "order.updated" | "order.paid" | "order.fulfilled" | "order.cancelled" | "order.refunded" | "customer.created" | "customer.updated" | "customer.deleted" | "category.created" | "category.updated" | "category.deleted" | "page.created" | "page.updated" | "page.deleted" | "media.created" | "media.updated" | "media.deleted" | "payment.unmatched" | "payment.dismissed" | "webhook.test";
            };
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0193d3f6-8f08-77ce-80a1-b638495f6280",
                     *           "webhookId": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *           "eventId": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                     *           "event": "order.paid",
                     *           "status": "pending",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-11-20T12:00:00.000Z",
                     *               "responseCode": 500,
                     *               "latencyMs": 38,
                     *               "error": "answered 500",
                     *               "responseBody": "out of order"
                     *             }
                     *           ],
                     *           "nextAttemptAt": null,
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Delivery"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f6-8f08-77ce-80a1-b638495f6280",
                     *         "webhookId": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "eventId": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                     *         "event": "order.paid",
                     *         "status": "pending",
                     *         "attempts": [
                     *           {
                     *             "at": "2026-11-20T12:00:00.000Z",
                     *             "responseCode": 500,
                     *             "latencyMs": 38,
                     *             "error": "answered 500",
                     *             "responseBody": "out of order"
                     *           }
                     *         ],
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Delivery"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "0193d3f6-8f08-77ce-80a1-b638495f6280",
                     *         "webhookId": "0193d3f2-6228-738a-9c6d-72f49513b2ea",
                     *         "eventId": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                     *         "event": "order.paid",
                     *         "status": "pending",
                     *         "attempts": [
                     *           {
                     *             "at": "2026-11-20T12:00:00.000Z",
                     *             "responseCode": 500,
                     *             "latencyMs": 38,
                     *             "error": "answered 500",
                     *             "responseBody": "out of order"
                     *           }
                     *         ],
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        item: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["Validation"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "stripe" | "paypal" | "square";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true,
                     *       "outcome": "paid"
                     *     }
                     */
                    "application/json": components["schemas"]["ReceiverAnswer"];
                };
            };
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    receiveNotificationOfStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "stripe" | "paypal" | "square";
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true,
                     *       "outcome": "paid"
                     *     }
                     */
                    "application/json": components["schemas"]["ReceiverAnswer"];
                };
            };
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getMediaFile: {
        parameters: {
            query?: {
                w?: "64" | "160" | "320" | "640" | "960" | "1280" | "1920";
                format?: "webp" | "jpeg" | "png";
            };
            header?: {
                Range?: string;
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                storeId: components["parameters"]["StoreId"];
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": "public, max-age=31536000";
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "image/gif": string;
                };
            };
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": "public, max-age=31536000";
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "image/gif": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": "public, max-age=31536000";
                    "Last-Modified": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @example ok
                         * @enum {string}
                         */
                        status: "ok";
                    };
                };
            };
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @example ready
                         * @enum {string}
                         */
                        status: "ready";
                        blockedWebhooks?: number;
                    };
                };
            };
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getReferenceAsset: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                asset: "redoc.js" | "page.js" | "licences.txt";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                    "text/plain": string;
                };
            };
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    onProductCreated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "product.created";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "product.created",
                 *       "event": "product.created",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "title": "Blue mug",
                 *         "slug": "blue-mug",
                 *         "status": "published",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "price": "12.50",
                 *         "compareAtPrice": "15.00",
                 *         "sku": "MUG",
                 *         "barcode": null,
                 *         "variantGroupId": "mugs",
                 *         "attributes": {
                 *           "color": "blue"
                 *         },
                 *         "trackStock": true,
                 *         "stock": 10,
                 *         "allowBackorder": false,
                 *         "lowStockThreshold": 2,
                 *         "categoryIds": [
                 *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                 *         ],
                 *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                 *         "mediaIds": [
                 *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *         ],
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "product.created";
                    /** @constant */
                    event: "product.created";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Product"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductUpdated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "product.updated";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "product.updated",
                 *       "event": "product.updated",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "title": "Blue mug",
                 *         "slug": "blue-mug",
                 *         "status": "published",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "price": "12.50",
                 *         "compareAtPrice": "15.00",
                 *         "sku": "MUG",
                 *         "barcode": null,
                 *         "variantGroupId": "mugs",
                 *         "attributes": {
                 *           "color": "blue"
                 *         },
                 *         "trackStock": true,
                 *         "stock": 10,
                 *         "allowBackorder": false,
                 *         "lowStockThreshold": 2,
                 *         "categoryIds": [
                 *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                 *         ],
                 *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                 *         "mediaIds": [
                 *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *         ],
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "product.updated";
                    /** @constant */
                    event: "product.updated";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Product"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductDeleted: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "product.deleted";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "product.deleted",
                 *       "event": "product.deleted",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "title": "Blue mug",
                 *         "slug": "blue-mug",
                 *         "status": "deleted",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "price": "12.50",
                 *         "compareAtPrice": "15.00",
                 *         "sku": "MUG",
                 *         "barcode": null,
                 *         "variantGroupId": "mugs",
                 *         "attributes": {
                 *           "color": "blue"
                 *         },
                 *         "trackStock": true,
                 *         "stock": 10,
                 *         "allowBackorder": false,
                 *         "lowStockThreshold": 2,
                 *         "categoryIds": [
                 *           "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91"
                 *         ],
                 *         "primaryMediaId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                 *         "mediaIds": [
                 *           "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *         ],
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "product.deleted";
                    /** @constant */
                    event: "product.deleted";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Product"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderCreated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "order.created";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "order.created",
                 *       "event": "order.created",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "orderNumber": "ORD-1001",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "subtotal": "25.00",
                 *         "tax": "2.00",
                 *         "taxRate": "0.08",
                 *         "shipping": "5.00",
                 *         "discount": "0.00",
                 *         "discountCode": null,
                 *         "total": "32.00",
                 *         "refundedAmount": "0.00",
                 *         "currency": "EUR",
                 *         "status": "paid",
                 *         "paymentStatus": "succeeded",
                 *         "paymentProvider": "stripe",
                 *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "paymentMethod": "card",
                 *         "paymentDetails": {
                 *           "last4": "4242",
                 *           "brand": "visa",
                 *           "expMonth": 12,
                 *           "expYear": 2030
                 *         },
                 *         "shippingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "billingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "placedAt": "2026-11-20T12:05:00.000Z",
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "fulfilledAt": null,
                 *         "cancelledAt": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z",
                 *         "customerNote": "Please ring twice.",
                 *         "merchantNote": null,
                 *         "items": [
                 *           {
                 *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                 *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *             "titleSnapshot": "Blue mug",
                 *             "skuSnapshot": "MUG",
                 *             "quantity": 2,
                 *             "unitPrice": "12.50",
                 *             "variantTitle": null,
                 *             "attributesSnapshot": {
                 *               "color": "blue"
                 *             },
                 *             "lineDiscount": "0.00",
                 *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *           }
                 *         ],
                 *         "cancelReason": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "order.created";
                    /** @constant */
                    event: "order.created";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Order"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderUpdated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "order.updated";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "order.updated",
                 *       "event": "order.updated",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "orderNumber": "ORD-1001",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "subtotal": "25.00",
                 *         "tax": "2.00",
                 *         "taxRate": "0.08",
                 *         "shipping": "5.00",
                 *         "discount": "0.00",
                 *         "discountCode": null,
                 *         "total": "32.00",
                 *         "refundedAmount": "0.00",
                 *         "currency": "EUR",
                 *         "status": "paid",
                 *         "paymentStatus": "succeeded",
                 *         "paymentProvider": "stripe",
                 *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "paymentMethod": "card",
                 *         "paymentDetails": {
                 *           "last4": "4242",
                 *           "brand": "visa",
                 *           "expMonth": 12,
                 *           "expYear": 2030
                 *         },
                 *         "shippingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "billingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "placedAt": "2026-11-20T12:05:00.000Z",
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "fulfilledAt": null,
                 *         "cancelledAt": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z",
                 *         "customerNote": "Please ring twice.",
                 *         "merchantNote": null,
                 *         "items": [
                 *           {
                 *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                 *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *             "titleSnapshot": "Blue mug",
                 *             "skuSnapshot": "MUG",
                 *             "quantity": 2,
                 *             "unitPrice": "12.50",
                 *             "variantTitle": null,
                 *             "attributesSnapshot": {
                 *               "color": "blue"
                 *             },
                 *             "lineDiscount": "0.00",
                 *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *           }
                 *         ],
                 *         "cancelReason": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "order.updated";
                    /** @constant */
                    event: "order.updated";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Order"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderPaid: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "order.paid";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "order.paid",
                 *       "event": "order.paid",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "orderNumber": "ORD-1001",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "subtotal": "25.00",
                 *         "tax": "2.00",
                 *         "taxRate": "0.08",
                 *         "shipping": "5.00",
                 *         "discount": "0.00",
                 *         "discountCode": null,
                 *         "total": "32.00",
                 *         "refundedAmount": "0.00",
                 *         "currency": "EUR",
                 *         "status": "paid",
                 *         "paymentStatus": "succeeded",
                 *         "paymentProvider": "stripe",
                 *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "paymentMethod": "card",
                 *         "paymentDetails": {
                 *           "last4": "4242",
                 *           "brand": "visa",
                 *           "expMonth": 12,
                 *           "expYear": 2030
                 *         },
                 *         "shippingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "billingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "placedAt": "2026-11-20T12:05:00.000Z",
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "fulfilledAt": null,
                 *         "cancelledAt": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z",
                 *         "customerNote": "Please ring twice.",
                 *         "merchantNote": null,
                 *         "items": [
                 *           {
                 *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                 *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *             "titleSnapshot": "Blue mug",
                 *             "skuSnapshot": "MUG",
                 *             "quantity": 2,
                 *             "unitPrice": "12.50",
                 *             "variantTitle": null,
                 *             "attributesSnapshot": {
                 *               "color": "blue"
                 *             },
                 *             "lineDiscount": "0.00",
                 *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *           }
                 *         ],
                 *         "cancelReason": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "order.paid";
                    /** @constant */
                    event: "order.paid";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Order"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderFulfilled: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "order.fulfilled";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "order.fulfilled",
                 *       "event": "order.fulfilled",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "orderNumber": "ORD-1001",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "subtotal": "25.00",
                 *         "tax": "2.00",
                 *         "taxRate": "0.08",
                 *         "shipping": "5.00",
                 *         "discount": "0.00",
                 *         "discountCode": null,
                 *         "total": "32.00",
                 *         "refundedAmount": "0.00",
                 *         "currency": "EUR",
                 *         "status": "fulfilled",
                 *         "paymentStatus": "succeeded",
                 *         "paymentProvider": "stripe",
                 *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "paymentMethod": "card",
                 *         "paymentDetails": {
                 *           "last4": "4242",
                 *           "brand": "visa",
                 *           "expMonth": 12,
                 *           "expYear": 2030
                 *         },
                 *         "shippingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "billingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "placedAt": "2026-11-20T12:05:00.000Z",
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "fulfilledAt": "2026-11-20T15:00:00.000Z",
                 *         "cancelledAt": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z",
                 *         "customerNote": "Please ring twice.",
                 *         "merchantNote": null,
                 *         "items": [
                 *           {
                 *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                 *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *             "titleSnapshot": "Blue mug",
                 *             "skuSnapshot": "MUG",
                 *             "quantity": 2,
                 *             "unitPrice": "12.50",
                 *             "variantTitle": null,
                 *             "attributesSnapshot": {
                 *               "color": "blue"
                 *             },
                 *             "lineDiscount": "0.00",
                 *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *           }
                 *         ],
                 *         "cancelReason": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "order.fulfilled";
                    /** @constant */
                    event: "order.fulfilled";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Order"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderCancelled: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "order.cancelled";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "order.cancelled",
                 *       "event": "order.cancelled",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "orderNumber": "ORD-1001",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "subtotal": "25.00",
                 *         "tax": "2.00",
                 *         "taxRate": "0.08",
                 *         "shipping": "5.00",
                 *         "discount": "0.00",
                 *         "discountCode": null,
                 *         "total": "32.00",
                 *         "refundedAmount": "0.00",
                 *         "currency": "EUR",
                 *         "status": "cancelled",
                 *         "paymentStatus": "succeeded",
                 *         "paymentProvider": "stripe",
                 *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "paymentMethod": "card",
                 *         "paymentDetails": {
                 *           "last4": "4242",
                 *           "brand": "visa",
                 *           "expMonth": 12,
                 *           "expYear": 2030
                 *         },
                 *         "shippingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "billingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "placedAt": "2026-11-20T12:05:00.000Z",
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "fulfilledAt": null,
                 *         "cancelledAt": "2026-11-20T15:00:00.000Z",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z",
                 *         "customerNote": "Please ring twice.",
                 *         "merchantNote": null,
                 *         "items": [
                 *           {
                 *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                 *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *             "titleSnapshot": "Blue mug",
                 *             "skuSnapshot": "MUG",
                 *             "quantity": 2,
                 *             "unitPrice": "12.50",
                 *             "variantTitle": null,
                 *             "attributesSnapshot": {
                 *               "color": "blue"
                 *             },
                 *             "lineDiscount": "0.00",
                 *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *           }
                 *         ],
                 *         "cancelReason": "requested"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "order.cancelled";
                    /** @constant */
                    event: "order.cancelled";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Order"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRefunded: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "order.refunded";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "order.refunded",
                 *       "event": "order.refunded",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "orderNumber": "ORD-1001",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "customerId": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "subtotal": "25.00",
                 *         "tax": "2.00",
                 *         "taxRate": "0.08",
                 *         "shipping": "5.00",
                 *         "discount": "0.00",
                 *         "discountCode": null,
                 *         "total": "32.00",
                 *         "refundedAmount": "5.00",
                 *         "currency": "EUR",
                 *         "status": "paid",
                 *         "paymentStatus": "partially_refunded",
                 *         "paymentProvider": "stripe",
                 *         "paymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "paymentMethod": "card",
                 *         "paymentDetails": {
                 *           "last4": "4242",
                 *           "brand": "visa",
                 *           "expMonth": 12,
                 *           "expYear": 2030
                 *         },
                 *         "shippingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "billingAddress": {
                 *           "firstName": "Ada",
                 *           "lastName": "Lovelace",
                 *           "address1": "12 St James Square",
                 *           "address2": null,
                 *           "city": "London",
                 *           "region": null,
                 *           "postalCode": "SW1Y 4JH",
                 *           "country": "GB",
                 *           "company": null,
                 *           "phone": null
                 *         },
                 *         "placedAt": "2026-11-20T12:05:00.000Z",
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "fulfilledAt": null,
                 *         "cancelledAt": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z",
                 *         "customerNote": "Please ring twice.",
                 *         "merchantNote": null,
                 *         "items": [
                 *           {
                 *             "id": "0193d3f1-d6f0-7279-8b5c-61e38402a1db",
                 *             "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *             "productId": "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52",
                 *             "titleSnapshot": "Blue mug",
                 *             "skuSnapshot": "MUG",
                 *             "quantity": 2,
                 *             "unitPrice": "12.50",
                 *             "variantTitle": null,
                 *             "attributesSnapshot": {
                 *               "color": "blue"
                 *             },
                 *             "lineDiscount": "0.00",
                 *             "primaryImageId": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80"
                 *           }
                 *         ],
                 *         "cancelReason": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "order.refunded";
                    /** @constant */
                    event: "order.refunded";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Order"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerCreated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "customer.created";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "customer.created",
                 *       "event": "customer.created",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "email": "ada@shop.test",
                 *         "name": "Ada Lovelace",
                 *         "phone": null,
                 *         "marketingOptIn": false,
                 *         "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                 *         "addresses": [
                 *           {
                 *             "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                 *             "firstName": "Ada",
                 *             "lastName": "Lovelace",
                 *             "company": null,
                 *             "address1": "12 St James Square",
                 *             "address2": null,
                 *             "city": "London",
                 *             "region": null,
                 *             "postalCode": "SW1Y 4JH",
                 *             "country": "GB",
                 *             "phone": null,
                 *             "isDefault": true,
                 *             "createdAt": "2026-11-20T12:00:00.000Z",
                 *             "updatedAt": "2026-11-20T12:00:00.000Z"
                 *           }
                 *         ],
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "customer.created";
                    /** @constant */
                    event: "customer.created";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Customer"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerUpdated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "customer.updated";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "customer.updated",
                 *       "event": "customer.updated",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "email": "ada@shop.test",
                 *         "name": "Ada Lovelace",
                 *         "phone": null,
                 *         "marketingOptIn": false,
                 *         "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                 *         "addresses": [
                 *           {
                 *             "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                 *             "firstName": "Ada",
                 *             "lastName": "Lovelace",
                 *             "company": null,
                 *             "address1": "12 St James Square",
                 *             "address2": null,
                 *             "city": "London",
                 *             "region": null,
                 *             "postalCode": "SW1Y 4JH",
                 *             "country": "GB",
                 *             "phone": null,
                 *             "isDefault": true,
                 *             "createdAt": "2026-11-20T12:00:00.000Z",
                 *             "updatedAt": "2026-11-20T12:00:00.000Z"
                 *           }
                 *         ],
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "customer.updated";
                    /** @constant */
                    event: "customer.updated";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Customer"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerDeleted: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "customer.deleted";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "customer.deleted",
                 *       "event": "customer.deleted",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ee-3548-7f46-9829-3eb0517f9dae",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "email": "ada@shop.test",
                 *         "name": "Ada Lovelace",
                 *         "phone": null,
                 *         "marketingOptIn": false,
                 *         "defaultAddressId": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                 *         "addresses": [
                 *           {
                 *             "id": "0193d3ef-c080-7057-a93a-4fc162809ebd",
                 *             "firstName": "Ada",
                 *             "lastName": "Lovelace",
                 *             "company": null,
                 *             "address1": "12 St James Square",
                 *             "address2": null,
                 *             "city": "London",
                 *             "region": null,
                 *             "postalCode": "SW1Y 4JH",
                 *             "country": "GB",
                 *             "phone": null,
                 *             "isDefault": true,
                 *             "createdAt": "2026-11-20T12:00:00.000Z",
                 *             "updatedAt": "2026-11-20T12:00:00.000Z"
                 *           }
                 *         ],
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "customer.deleted";
                    /** @constant */
                    event: "customer.deleted";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Customer"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCategoryCreated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "category.created";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "category.created",
                 *       "event": "category.created",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "name": "Mugs",
                 *         "slug": "mugs",
                 *         "status": "published",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "description": null,
                 *         "parentId": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "category.created";
                    /** @constant */
                    event: "category.created";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Category"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCategoryUpdated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "category.updated";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "category.updated",
                 *       "event": "category.updated",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "name": "Mugs",
                 *         "slug": "mugs",
                 *         "status": "published",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "description": null,
                 *         "parentId": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "category.updated";
                    /** @constant */
                    event: "category.updated";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Category"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCategoryDeleted: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "category.deleted";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "category.deleted",
                 *       "event": "category.deleted",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "name": "Mugs",
                 *         "slug": "mugs",
                 *         "status": "deleted",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "description": null,
                 *         "parentId": null,
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "category.deleted";
                    /** @constant */
                    event: "category.deleted";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Category"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPageCreated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "page.created";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "page.created",
                 *       "event": "page.created",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "title": "Imprint",
                 *         "slug": "imprint",
                 *         "status": "published",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "content": "<p>Shop Ltd.</p>",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "page.created";
                    /** @constant */
                    event: "page.created";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Page"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPageUpdated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "page.updated";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "page.updated",
                 *       "event": "page.updated",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "title": "Imprint",
                 *         "slug": "imprint",
                 *         "status": "published",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "content": "<p>Shop Ltd.</p>",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "page.updated";
                    /** @constant */
                    event: "page.updated";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Page"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPageDeleted: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "page.deleted";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "page.deleted",
                 *       "event": "page.deleted",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ed-9e10-7e35-8718-2daf406e8c9f",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "title": "Imprint",
                 *         "slug": "imprint",
                 *         "status": "deleted",
                 *         "publishedAt": "2026-11-20T12:00:00.000Z",
                 *         "seoTitle": null,
                 *         "seoDescription": null,
                 *         "seoKeywords": null,
                 *         "seoImageId": null,
                 *         "content": "<p>Shop Ltd.</p>",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "page.deleted";
                    /** @constant */
                    event: "page.deleted";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Page"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaCreated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "media.created";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "media.created",
                 *       "event": "media.created",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                 *         "mimeType": "image/jpeg",
                 *         "width": 1600,
                 *         "height": 1200,
                 *         "fileSize": 245760,
                 *         "altText": "A blue mug on a table",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "media.created";
                    /** @constant */
                    event: "media.created";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Media"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaUpdated: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "media.updated";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "media.updated",
                 *       "event": "media.updated",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                 *         "mimeType": "image/jpeg",
                 *         "width": 1600,
                 *         "height": 1200,
                 *         "fileSize": 245760,
                 *         "altText": "A blue mug on a table",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "media.updated";
                    /** @constant */
                    event: "media.updated";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Media"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMediaDeleted: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "media.deleted";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "media.deleted",
                 *       "event": "media.deleted",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3ec-02d8-7d24-b607-1c9e3f5d7b80",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "url": "https://shop.test/media/0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70/0193d3ec-02d8-7d24-b607-1c9e3f5d7b80.jpg",
                 *         "mimeType": "image/jpeg",
                 *         "width": 1600,
                 *         "height": 1200,
                 *         "fileSize": 245760,
                 *         "altText": "A blue mug on a table",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "media.deleted";
                    /** @constant */
                    event: "media.deleted";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Media"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentUnmatched: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "payment.unmatched";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "payment.unmatched",
                 *       "event": "payment.unmatched",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f6-8e38-77ce-9a01-b6384957f628",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "provider": "stripe",
                 *         "providerPaymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "relatedIds": {},
                 *         "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "status": "succeeded",
                 *         "amount": "30.00",
                 *         "currency": "EUR",
                 *         "capturedAmount": "30.00",
                 *         "refundedAmount": "0.00",
                 *         "matched": "mismatch",
                 *         "method": "card",
                 *         "reference": null,
                 *         "dismissedAt": null,
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "payment.unmatched";
                    /** @constant */
                    event: "payment.unmatched";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentDismissed: {
        parameters: {
            query?: never;
            header: {
                "X-Webhook-Event": "payment.dismissed";
                "X-Webhook-Id": components["parameters"]["WebhookId"];
                "X-Webhook-Timestamp": components["parameters"]["WebhookTimestamp"];
                "X-Webhook-Signature": components["parameters"]["WebhookSignature"];
                "webhook-id": components["parameters"]["StandardId"];
                "webhook-timestamp": components["parameters"]["StandardTimestamp"];
                "webhook-signature": components["parameters"]["StandardSignature"];
                "User-Agent": components["parameters"]["Sender"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0193d3f5-03d0-76bd-8f90-a5273846e517",
                 *       "type": "payment.dismissed",
                 *       "event": "payment.dismissed",
                 *       "timestamp": "2026-11-20T12:05:00.000Z",
                 *       "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *       "data": {
                 *         "id": "0193d3f6-8e38-77ce-9a01-b6384957f628",
                 *         "storeId": "0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70",
                 *         "provider": "stripe",
                 *         "providerPaymentId": "pi_3QNd2eLkdIwHu7ix0Xy1ZaBc",
                 *         "relatedIds": {},
                 *         "orderId": "0193d3f0-4bb8-7168-ba4b-50d273910fcc",
                 *         "status": "succeeded",
                 *         "amount": "32.00",
                 *         "currency": "EUR",
                 *         "capturedAmount": "32.00",
                 *         "refundedAmount": "0.00",
                 *         "matched": "dismissed",
                 *         "method": "card",
                 *         "reference": null,
                 *         "dismissedAt": "2026-11-20T15:00:00.000Z",
                 *         "paidAt": "2026-11-20T12:05:00.000Z",
                 *         "createdAt": "2026-11-20T12:00:00.000Z",
                 *         "updatedAt": "2026-11-20T12:05:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @example 0193d3f5-03d0-76bd-8f90-a5273846e517
                     */
                    id: string;
                    /** @constant */
                    type: "payment.dismissed";
                    /** @constant */
                    event: "payment.dismissed";
                    /**
                     * Format: date-time
                     * @example 2026-11-20T12:05:00.000Z
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @example 0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70
                     */
                    storeId: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
