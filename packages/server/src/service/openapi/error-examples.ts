// Printed by errors.test.ts (`npx vitest run packages/server/src/service/openapi --update`): each error as the service answered it.
// biome-ignore-all format: it is as the test prints it

export const errorExamples = {
  "validation": {
    "error": {
      "code": "VALIDATION_ERROR",
      "message": "limit: must be a whole number from 1 to 200, not 500",
      "details": [
        {
          "field": "limit",
          "reason": "must be a whole number from 1 to 200, not 500",
          "message": "must be a whole number from 1 to 200, not 500",
          "code": "TOO_LARGE",
          "limits": {
            "min": 1,
            "max": 200
          }
        }
      ]
    }
  },
  "unauthorized": {
    "error": {
      "code": "UNAUTHORIZED",
      "message": "the API key is not valid: it is unknown, revoked or expired"
    }
  },
  "forbidden": {
    "error": {
      "code": "FORBIDDEN",
      "message": "insufficient permissions: the API key does not have the scope product.write"
    }
  },
  "notFound": {
    "error": {
      "code": "NOT_FOUND",
      "message": "no product \"0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52\" in this store"
    }
  },
  "methodNotAllowed": {
    "error": {
      "code": "METHOD_NOT_ALLOWED",
      "message": "orders cannot be created over this API: create a pending order with `commerce orders create` or createOrder(), or let a payment notification with its items create it; `commerce serve --orders-api` enables this route"
    }
  },
  "conflict": {
    "error": {
      "code": "CONFLICT",
      "message": "sku \"MUG\" already exists on another product",
      "reason": "taken",
      "details": [
        {
          "field": "sku",
          "reason": "\"MUG\" already exists on another product",
          "message": "\"MUG\" already exists on another product",
          "code": "TAKEN"
        }
      ]
    }
  },
  "insufficientStock": {
    "error": {
      "code": "INSUFFICIENT_STOCK",
      "message": "not enough in stock: product 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e53 has 1 in stock, 2 wanted",
      "details": [
        {
          "field": "items",
          "reason": "product 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e53 has 1 in stock, 2 wanted",
          "message": "product 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e53 has 1 in stock, 2 wanted",
          "code": "INSUFFICIENT_STOCK"
        }
      ]
    }
  },
  "discountUsedUp": {
    "error": {
      "code": "DISCOUNT_USED_UP",
      "message": "the discount \"first\" is used up",
      "details": [
        {
          "field": "discountCode",
          "reason": "the discount \"first\" is used up",
          "message": "the discount \"first\" is used up",
          "code": "DISCOUNT_USED_UP"
        },
        {
          "field": "provider",
          "reason": "no payment provider of this store can open a payment page: see `commerce payments configure`",
          "message": "no payment provider of this store can open a payment page: see `commerce payments configure`",
          "code": "PAYMENT_METHOD_NOT_OFFERED"
        }
      ]
    }
  },
  "tooManyOpenCheckouts": {
    "error": {
      "code": "TOO_MANY_OPEN_CHECKOUTS",
      "message": "the limit for unpaid orders that wait to be shipped is 1 (the store setting maxOpenOffline); choose another way to pay"
    }
  },
  "tooLarge": {
    "error": {
      "code": "PAYLOAD_TOO_LARGE",
      "message": "the body must have at most 1048576 bytes"
    }
  },
  "unsupportedMediaType": {
    "error": {
      "code": "UNSUPPORTED_MEDIA_TYPE",
      "message": "the body must be sent as application/json, not text/plain"
    }
  },
  "rateLimited": {
    "error": {
      "code": "RATE_LIMITED",
      "message": "the store's plan (free) allows 60 requests a minute and 10 at once; try again in 1 s"
    }
  },
  "internal": {
    "error": {
      "code": "INTERNAL_ERROR",
      "message": "an internal error occurred; the request id is 7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b"
    }
  },
  "unavailable": {
    "error": {
      "code": "UNAVAILABLE",
      "message": "the server is shutting down"
    }
  }
};
