/** What happened to which resource; who, when and with which request come from the context. */
export interface AuditEntry {
  /** `<resource>.<what happened>`, such as `product.updated`. */
  action: string;
  resourceType: string;
  resourceId: string;
  /** The fields that changed, each with the value before and after, or facts about the action. Never a secret. */
  changes?: Readonly<Record<string, unknown>>;
}
