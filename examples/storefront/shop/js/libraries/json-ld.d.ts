export * from '../../../../storefront-client/json-ld.ts';
