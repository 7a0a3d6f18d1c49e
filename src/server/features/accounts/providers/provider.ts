import type { ProviderCheck, ProviderKind } from '#contract/providers-api.ts';
import type { Clock } from '#base/clock.ts';

/** A user as a provider describes them. */
export interface ProviderProfile {
  issuer: string;
  /** With the issuer the only thing that identifies; never an address. */
  subject: string;
  /** The address, where the provider vouches that it is this user's now; null for every other. */
  provenEmail: string | null;
  /** The address as the provider tells it, for the list of linked accounts alone. */
  email: string | null;
  /** The display name of the user. */
  name: string | null;
  /** By what the account is recognised in the list of linked accounts. */
  label: string | null;
}

/** The secrets of one sign-in, known to this server and the browser that began it. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface AuthorizationRequest extends FlowSecrets {
  redirectUri: string;
  /** The user has to show again who they are, even where the provider still knows them. */
  isReauthentication: boolean;
}

/** What came back: `iss` as RFC 9207 has it, `user` as Apple sends it. */
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

/** A provider as the flows see it, whichever protocol it speaks. */
export interface SignInProvider {
  readonly id: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly issuer: string;
  readonly clientId: string;
  /** Whether identities of this issuer are signed in with by this provider. */
  owns(issuer: string): boolean;
  /**
   * Whether a reauthentication here shows that the user has just signed in there, and not that their
   * browser still was. Throws ProviderError.
   */
  provesSignInTime(): Promise<boolean>;
  /** Where to send the user. Throws ProviderError. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>;
  /** Redeems a code and says who came. Throws ProviderError. */
  identify(exchange: CodeExchange): Promise<ProviderProfile>;
  /** Asks everything that can be asked without a user. */
  check(redirectUri: string): Promise<ProviderCheck[]>;
  /** Verifies a signed notice; absent where the provider sends none. Throws ProviderError. */
  readNotice?(payload: string): Promise<ProviderNotice>;
}

/** What the adapters need of the world; `fetch` is the network. */
export interface ProviderDeps {
  clock: Clock;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

/**
 * Why a provider could not say who came. `unavailable`: it does not answer; `slow`: not in time; `mix-up`:
 * the answer is another issuer's; `clock`: it is of another time than ours; `rejected`: what it said does
 * not hold; `set-up`: no retry can work until an operator changes something, here or there, which the message
 * names. The cause is for the log.
 */
export class ProviderError extends Error {
  readonly reason: 'unavailable' | 'slow' | 'mix-up' | 'clock' | 'rejected' | 'set-up';

  constructor(reason: ProviderError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderError';
    this.reason = reason;
  }
}
