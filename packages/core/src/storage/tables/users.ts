/** `invited`: has not used the link of the invitation yet. `disabled`: cannot sign in. */
export const userStatuses = ['invited', 'active', 'disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** A person as a user of one store. */
export interface UserTable {
  store_id: string;
  id: string;
  email: string;
  /** The e-mail as it is compared. */
  email_key: string;
  name: string;
  /** One of `roleNames`. */
  role: string;
  status: UserStatus;
  /** Who signs in as this user; null until there is a password or a passkey. */
  person_id: string | null;
  last_sign_in_at: number | null;
  created_at: number;
  updated_at: number;
}

/** The password and the passkeys of a person, who can be a user of several stores. */
export interface PersonTable {
  id: string;
  /** `scrypt$N$r$p$salt$hash`; null without a password. */
  password: string | null;
  created_at: number;
}

export interface PasskeyTable {
  id: string;
  person_id: string;
  /** As the authenticator names it, base64url. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** Uses that the authenticator has counted; 0 if it does not count. */
  counter: number;
  /** JSON array, such as `["internal"]`. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

export interface SessionTable {
  store_id: string;
  id: string;
  /** SHA-256 of the token in the cookie, hex. */
  hash: string;
  /** Null in the session of a link that belongs to no user. */
  user_id: string | null;
  /** 1 if it outlives the browser. */
  is_kept: number;
  /** Browser and system, as the browser names them. */
  agent: string;
  address: string | null;
  last_used_at: number;
  expires_at: number;
  created_at: number;
}

/** A code that signs in to the dashboard of its store once. */
export interface SignInCodeTable {
  store_id: string;
  /** SHA-256 of the code, hex. */
  hash: string;
  expires_at: number;
  /** The user whose invitation or reset it is; null for a link of somebody who is trusted with the store. */
  user_id: string | null;
}

/** Failed sign-ins of an e-mail or a network address. */
export interface SignInFailureTable {
  /** SHA-256 of the kind and the value, hex. */
  name: string;
  count: number;
  ends_at: number;
}

/** A challenge that a passkey has yet to answer. */
export interface PasskeyChallengeTable {
  /** SHA-256 of the challenge, hex. */
  hash: string;
  expires_at: number;
}
