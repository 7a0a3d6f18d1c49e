/** The provider's response as forwarded by the browser: the body of the second `POST /auth/{provider}`, unchanged. */
interface ProviderAnswerBody {
  /** Missing if the provider's response had none, or more than one; the server rejects such a response. */
  state?: string;
  code?: string;
  error?: string;
  /** The provider's description of its error, for the log. */
  error_description?: string;
  iss?: string;
  /** Apple only: JSON text with the user's name, at the first consent only. */
  user?: string;
}

/**
 * Message from the callback page to the page that opened it: over `BroadcastChannel('auth')` from a pop-up, or as
 * JSON text in `sessionStorage` under `providerAnswerKey` after a redirect. Untrusted: only the server's reply to
 * the body counts.
 */
export interface ProviderAnswer {
  type: 'provider-answer';
  provider: string;
  body: ProviderAnswerBody;
}

/**
 * Message from the page to the callback page over the same channel when it starts to forward a response, so that
 * the pop-up closes. If it does not arrive within two seconds, the pop-up continues like a redirect and completes
 * the sign-in itself.
 */
export interface ProviderAnswerTaken {
  type: 'provider-answer-taken';
  flow: string;
}

export const providerAnswerKey = 'earshot.provider-answer';

/** Where the callback page goes after a redirect, with the response in `sessionStorage`. */
export const providerAnswerPath = '/sign-in';

/** Where it goes if the page that started a test sign-in does not take its response. */
export const testAnswerPath = '/settings/providers';
