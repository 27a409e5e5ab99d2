/** An endpoint of notifications as the provider has it. */
export interface Endpoint {
  id: string;
  url: string;
  /** Types of events that it is sent. */
  events: readonly string[];
  /** False while the provider sends nothing there. */
  isOn: boolean;
  /** False when its events come in another version of the API, which only a new endpoint changes. */
  isCurrent: boolean;
}

/** An endpoint to be created. */
export interface NewEndpoint {
  url: string;
  events: readonly string[];
  /** Differs for each endpoint: a repeated call with the same key creates no second one. */
  key: string;
}

/** The settings of any provider before all of them are known, with the address of its API. */
export interface Access {
  apiBase: string;
  secretKey?: string | undefined;
  webhookSecret?: string | undefined;
  endpointId?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  accessToken?: string | undefined;
}

/**
 * The endpoints of notifications at one provider. Every function calls the provider, so never call one inside a transaction.
 * @throws CommerceError `unavailable` when it cannot be reached
 * @throws ProviderSettingsError when it refuses the key, with its reason, which names the right that the key lacks
 */
export interface EndpointCalls {
  /** Settings that open the provider's API. */
  readonly access: readonly (keyof Access)[];
  list(access: Access, now: number): Promise<Endpoint[]>;
  /** True if the settings verify what this endpoint sends, or if `adopt` can get what they lack. */
  holds(endpoint: Endpoint, settings: Access): boolean;
  /** Settings that verify what an endpoint sends whose secret is known. */
  adopt(endpoint: Endpoint, settings: Access, now: number): Promise<Record<string, string>>;
  /** @returns the settings that verify what it sends */
  create(endpoint: NewEndpoint, access: Access, now: number): Promise<{ id: string; settings: Record<string, string> }>;
  /** Switches an endpoint on, for these events. */
  update(id: string, events: readonly string[], access: Access, now: number): Promise<void>;
  /** Deletes an endpoint; one that is gone already is no error. */
  remove(id: string, access: Access, now: number): Promise<void>;
  /** What the provider answers to a harmless call for each right that the service needs: null, or the refusal. */
  rights(access: Access, now: number): Promise<Record<string, string | null>>;
}
