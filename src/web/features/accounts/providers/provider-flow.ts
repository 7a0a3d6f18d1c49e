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
  /** For the first account of a server; else empty. */
  setUpCode: string;
  /** The language of the interface. */
  locale: string;
}

/** How a flow ended: signed in (linked, proven), or a second factor is wanted. */
export type ProviderEnd = Exclude<ReplyOf<Api['signInWithProvider']>, ProviderFlow>;

const signsIn: HoldOptions = {};
/** On the person's own account: goes with their name, and may wait for a fresh proof. */
const links: HoldOptions = { isAuthCall: false };
/** The proof itself cannot wait for one. */
const proves: HoldOptions = { isAuthCall: false, noHold: true };
const holdOf: Record<ProviderIntent, HoldOptions> = {
  'sign-in': signsIn,
  link: links,
  reauthenticate: proves,
};

/** Phase one: asks where to go. @throws ApiError */
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
  throw new TypeError('the server ended a flow that had not begun');
}

/** Phase two: hands the provider's answer over as it is. @throws ApiError */
export async function endFlow(
  { provider, body }: ProviderAnswer,
  intent: ProviderIntent,
  signal?: AbortSignal,
): Promise<ProviderEnd> {
  // Without any of the three the server would take it for the beginning of another flow.
  const answer =
    'code' in body || 'error' in body || 'state' in body ? body : { ...body, error: 'empty_answer' };
  const reply = await call('signInWithProvider', {
    params: { provider },
    body: answer,
    signal,
    hold: holdOf[intent],
  });
  if ('authorizationUrl' in reply) throw new TypeError('the server began a flow instead of ending one');
  return reply;
}

/**
 * Waits for the answer to one flow from the provider's window, and tells that window to close. Rejects on
 * abort alone.
 */
export function awaitAnswer(
  { provider, flow }: { provider: string; flow: string },
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  return new Promise((resolve, reject) => {
    const stop = tabChannel.listen((message) => {
      if (!isProviderAnswer(message) || message.provider !== provider) return;
      // An answer without its state belongs to whoever waits: the server refuses it, and that can be said at
      // once.
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
