/** Forms of `X-Webhook-Signature`: `sha256=<hex>`, or the bare hex. */
export const signatureFormats = ['sha256', 'hex'] as const;
export type SignatureFormat = (typeof signatureFormats)[number];
