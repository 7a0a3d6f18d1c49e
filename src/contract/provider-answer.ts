/** What a provider sent back with the browser: the body of the second `POST /auth/{provider}`, as it is. */
interface ProviderAnswerBody {
  /** Missing where the provider's answer had none, or more than one: the server refuses such an answer. */
  state?: string;
  code?: string;
  error?: string;
  /** What the provider says of its error, for the log. */
  error_description?: string;
  iss?: string;
  /** Apple's: a JSON text with the person's name, at the first consent only. */
  user?: string;
}

/**
 * The callback page to the page that opened it: over `BroadcastChannel('auth')` from a pop-up, as JSON text
 * in `sessionStorage` under `providerAnswerKey` after a redirect. Untrusted by rule: only the server's reply
 * to the body counts.
 */
export interface ProviderAnswer {
  type: 'provider-answer';
  provider: string;
  body: ProviderAnswerBody;
}

/**
 * The page to the callback page, over the same channel, as soon as it begins to send an answer on: the pop-up
 * closes itself. Without it within two seconds the pop-up goes the way of a redirect itself, and the sign-in
 * is finished there.
 */
export interface ProviderAnswerTaken {
  type: 'provider-answer-taken';
  flow: string;
}

export const providerAnswerKey = 'earshot.provider-answer';

/** Where the callback page goes to after a redirect, the answer in `sessionStorage`. */
export const providerAnswerPath = '/sign-in';
