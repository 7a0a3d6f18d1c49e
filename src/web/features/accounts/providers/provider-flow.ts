import type { ProviderAnswer } from '#contract/provider-answer.ts';
import type { ProviderFlow, ProviderIntent } from '#contract/providers-api.ts';
import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { call } from '#web/api/call.ts';
import type { HoldOptions } from '#web/api/hold/hold-client.ts';
import { tabChannel } from '#web/api/tab-channel.ts';
import { isProviderAnswer } from './provider-answer.ts';

export interface ProviderFlowOptions {
  provider: string;
  intent: ProviderIntent;
  /** False on a shared computer. */
  remember: boolean;
  /** For the first account of a server; otherwise empty. */
  setUpCode: string;
  /** The language of the interface. */
  locale: string;
}

/** The result of a flow: signed in (linked, proven), or a second factor is required. */
export type ProviderEnd = Exclude<ReplyOf<Api['signInWithProvider']>, ProviderFlow>;

const signsIn: HoldOptions = {};
/** About the user's own account: names the user, and may be held until a new proof. */
const links: HoldOptions = { isAuthCall: false };
/** A proof can't be held until another proof. */
const proves: HoldOptions = { isAuthCall: false, noHold: true };
const holdOf: Record<ProviderIntent, HoldOptions> = {
  'sign-in': signsIn,
  link: links,
  reauthenticate: proves,
};

/**
 * Starts a flow and returns the provider's URL.
 * @throws ApiError
 */
export async function startProviderFlow(
  options: ProviderFlowOptions,
  display: 'popup' | 'redirect',
  signal?: AbortSignal,
): Promise<ProviderFlow> {
  const { provider, intent, remember, setUpCode, locale } = options;
  const returnTo = `${location.pathname}${location.search}`;
  const reply = await call('signInWithProvider', {
    params: { provider },
    body: { intent, display, remember, locale, returnTo, ...(setUpCode === '' ? {} : { setUpCode }) },
    signal,
    hold: holdOf[intent],
  });
  if ('authorizationUrl' in reply) return reply;
  throw new TypeError('the server ended a flow that had not started');
}

/**
 * Ends a flow by sending the provider's response to the server unchanged.
 * @throws ApiError
 */
export async function endFlow(
  { provider, body }: ProviderAnswer,
  intent: ProviderIntent,
  signal?: AbortSignal,
): Promise<ProviderEnd> {
  // Without any of these parameters the server would treat it as the start of another flow.
  const answer =
    'code' in body || 'error' in body || 'state' in body ? body : { ...body, error: 'empty_answer' };
  const reply = await call('signInWithProvider', {
    params: { provider },
    body: answer,
    signal,
    hold: holdOf[intent],
  });
  if ('authorizationUrl' in reply) throw new TypeError('the server started a flow instead of ending one');
  return reply;
}

/**
 * Waits for the provider's response to one flow, and notifies the provider's window, which then closes. Rejects
 * only on abort.
 */
export function awaitAnswer(
  { provider, flow }: { provider: string; flow: string },
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  return new Promise((resolve, reject) => {
    const stop = tabChannel.listen((message) => {
      if (!isProviderAnswer(message) || message.provider !== provider) return;
      // A response without a state can't be assigned to a flow. Accept it, so that the server rejects it and the
      // error is shown immediately.
      if (message.body.state !== undefined && message.body.state !== flow) return;
      stop();
      tabChannel.post({ type: 'provider-answer-taken', flow });
      resolve(message);
    });
    signal.addEventListener(
      'abort',
      () => {
        stop();
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
