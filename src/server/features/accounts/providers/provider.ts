import type { ProviderCheck, ProviderKind, SignInNeed } from '#contract/providers-api.ts';
import type { Clock } from '#base/clock.ts';

/** A user as the provider describes them. */
export interface ProviderProfile {
  issuer: string;
  /** Identifies the user together with the issuer; an email address never does. */
  subject: string;
  /** The address, if the provider guarantees that it currently belongs to this user; otherwise null. */
  provenEmail: string | null;
  /** The address as reported by the provider, only for display in the list of linked accounts. */
  email: string | null;
  /** The display name of the user. */
  name: string | null;
  /** Identifies the account to its owner in the list of linked accounts. */
  label: string | null;
  /** Why the provider did not report everything that was requested. It is only logged. */
  warning?: string;
}

/** The secrets of one sign-in, known to this server and the browser that started it. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface AuthorizationRequest extends FlowSecrets {
  redirectUri: string;
  /** Whether the user must authenticate again even if still signed in at the provider. */
  isReauthentication: boolean;
}

/** A provider's response. `iss` is defined by RFC 9207; `user` is sent by Apple. */
export interface CodeExchange extends AuthorizationRequest {
  code: string;
  iss: string | undefined;
  user: string | undefined;
}

/** An event about one of a provider's accounts, signed by the provider. */
export interface ProviderNotice {
  issuer: string;
  subject: string;
  noticeId: string;
  event: 'consent-revoked' | 'account-deleted' | 'other';
}

/** The result of the administrator's test. */
export interface CheckedProvider {
  checks: ProviderCheck[];
  onlyAtSignIn: SignInNeed[];
}

/** A provider, independent of its protocol. */
export interface SignInProvider {
  readonly id: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly issuer: string;
  readonly clientId: string;
  /** Whether this provider signs in identities of this issuer. */
  owns(issuer: string): boolean;
  /**
   * Whether a reauthentication proves that the user has just signed in at the provider, and not merely that the
   * browser was still signed in.
   * @throws ProviderError
   */
  provesSignInTime(): Promise<boolean>;
  /**
   * The authorization URL to send the user to.
   * @throws ProviderError
   */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>;
  /**
   * Redeems a code and returns the user's profile.
   * @throws ProviderError
   */
  identify(exchange: CodeExchange): Promise<ProviderProfile>;
  /** Runs every check that needs no user, and names what only a sign-in shows. */
  check(redirectUri: string): Promise<CheckedProvider>;
  /**
   * Verifies a signed notice. Absent if the provider sends none.
   * @throws ProviderError
   */
  readNotice?(payload: string): Promise<ProviderNotice>;
}

/** The dependencies of the adapters. `fetch` can be replaced in tests. */
export interface ProviderDeps {
  clock: Clock;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

/**
 * Why a sign-in with a provider failed. `unavailable`: the provider can't be reached or reports an outage; `slow`:
 * it timed out; `mix-up`: the response is from another issuer; `clock`: a token's times don't match our clock;
 * `rejected`: the response is invalid; `set-up`: the operator must change the configuration named in the message,
 * here or at the provider, before any retry can succeed. The cause is only logged.
 */
export class ProviderError extends Error {
  readonly reason: 'unavailable' | 'slow' | 'mix-up' | 'clock' | 'rejected' | 'set-up';

  constructor(reason: ProviderError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderError';
    this.reason = reason;
  }
}

const maxDetailLength = 400;

/** One line of the administrator's test result. */
export const check = (
  name: ProviderCheck['check'],
  outcome: ProviderCheck['outcome'],
  detail: string | null = null,
): ProviderCheck => ({ check: name, outcome, detail: detail?.slice(0, maxDetailLength) ?? null });
