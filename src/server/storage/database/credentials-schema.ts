/** The tables of how people prove who they are, beyond a password. */
export interface CredentialsSchema {
  passkeys: PasskeyRow;
  totp: TotpRow;
  recovery_codes: RecoveryCodeRow;
  auth_flows: AuthFlowRow;
  link_tokens: LinkTokenRow;
  login_failures: LoginFailuresRow;
  departed_users: DepartedUserRow;
  idempotency_keys: IdempotencyKeyRow;
}

export interface PasskeyRow {
  id: string;
  user_id: string;
  /** URL-safe base 64, unique. */
  credential_id: string;
  /** COSE key, URL-safe base 64. */
  public_key: string;
  counter: number;
  /** JSON array. */
  transports: string;
  aaguid: string;
  backed_up: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

interface TotpRow {
  user_id: string;
  /** The shared secret, encrypted. */
  sealed_secret: string;
  /** The last time step a code was taken from: no code counts twice (RFC 6238 §5.2). */
  last_step: number;
  created_at: number;
}

interface RecoveryCodeRow {
  user_id: string;
  /** SHA-256 of 120 random bits. */
  code_hash: string;
}

/**
 * A step that is under way: a challenge, a code that was sent, a sign-in that waits for its second factor.
 * Used up by deleting it.
 */
export interface AuthFlowRow {
  token_hash: string;
  kind:
    | 'sign-up'
    | 'second-factor'
    | 'email-change'
    | 'totp'
    | 'passkey-register'
    | 'passkey-sign-in'
    | 'passkey-reauthenticate'
    | 'passkey-sign-up';
  user_id: string | null;
  /** SHA-256 of the cookie of the browser that began it. */
  browser_hash: string;
  /** Of the address it is about, encrypted beyond recognition; null where there is none. */
  email_key_hash: string | null;
  /** Of the code of eight digits, keyed; null where there is none, or none that could be right. */
  code_hash: string | null;
  tries_left: number;
  /** JSON, encrypted. */
  sealed_data: string;
  created_at: number;
  expires_at: number;
}

/** A link that was sent or handed over; used up by deleting it. */
interface LinkTokenRow {
  token_hash: string;
  kind: 'password-reset' | 'email-undo';
  user_id: string;
  /** JSON, encrypted. */
  sealed_data: string;
  created_at: number;
  expires_at: number;
}

interface LoginFailuresRow {
  /** Keyed hash of an address, or of an address and one of its devices; the address need not exist. */
  account_key: string;
  /** Without a success between them. */
  failures: number;
  updated_at: number;
}

/** A person who has left and whose recordings are still in the trash. */
interface DepartedUserRow {
  user_id: string;
  left_at: number;
}

interface IdempotencyKeyRow {
  principal: string;
  key_hash: string;
  /** SHA-256 of method, path and body. */
  request_hash: string;
  /** Null while the first request is being worked on. */
  status: number | null;
  reply: string | null;
  expires_at: number;
}
