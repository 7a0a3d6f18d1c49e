import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { Provider, ProviderIntent } from '#contract/providers-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { isTakeRunning } from '#web/api/sign-in-prompt.ts';
import { session } from '#web/api/session.ts';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { saveIntent } from './provider-answer.ts';
import { awaitAnswer, startProviderFlow, endFlow, type ProviderEnd } from './provider-flow.ts';
import { openPopup, prefersRedirect, type ProviderPopup } from './provider-popup.ts';

/**
 * `asking`: the provider's URL is being requested. `slow`: that takes long. `away`: the user is in the provider's
 * window. `closed`: that window seems to be closed. `ending`: the response is being sent to the server.
 */
export type ProviderState =
  | { at: 'idle' }
  | { at: 'asking' | 'slow' | 'away' | 'closed' | 'ending'; provider: Provider }
  | { at: 'failed'; provider: Provider; error: unknown };

export interface UseProviderFlowOptions {
  intent: ProviderIntent;
  remember?: boolean;
  /** For the first account of a server. */
  setUpCode?: string;
  onEnd: (end: ProviderEnd, provider: Provider) => Promise<void> | void;
  /** Called with the error. Returns true if the caller reports it. */
  onError?: (error: unknown, provider: Provider) => boolean;
}

const slowAfterMs = 6000;
const pollIntervalMs = 700;

/** Continues in this window instead. Not during a take, because leaving the page would end it. */
function leaveFor(flow: { authorizationUrl: string; flow: string }, intent: ProviderIntent): void {
  if (isTakeRunning()) throw new ApiError({ code: 'popup-blocked', status: 0, problem: null });
  saveIntent(flow.flow, intent);
  location.assign(flow.authorizationUrl);
}

/** Runs one provider flow at a time: start, window or redirect, answer, end. */
export function useProviderFlow({
  intent,
  remember = true,
  setUpCode = '',
  onEnd,
  onError,
}: UseProviderFlowOptions) {
  const { t, i18n } = useLingui();
  const [state, setState] = useState<ProviderState>({ at: 'idle' });
  const running = useRef<{ abort: AbortController; popup: ProviderPopup | null } | null>(null);

  const stop = () => {
    running.current?.abort.abort();
    running.current?.popup?.close();
    running.current = null;
  };
  const stopOnLeave = useEffectEvent(stop);
  useEffect(() => () => stopOnLeave(), []);

  const openFor = ({ name }: Provider): ProviderPopup => {
    const popup = openPopup(t`Opening ${name}…`);
    if (running.current) running.current.popup = popup;
    return popup;
  };

  const run = async (provider: Provider, display: 'popup' | 'redirect', signal: AbortSignal) => {
    // Linking may first require a new proof, and an empty window would then be in the way.
    const early = display === 'popup' && intent !== 'link' ? openFor(provider) : null;
    const options = { provider: provider.id, intent, remember, setUpCode, locale: i18n.locale };
    const slow = setTimeout(() => setState({ at: 'slow', provider }), slowAfterMs);
    const flow = await startProviderFlow(options, display, signal).finally(() => clearTimeout(slow));
    const popup = early ?? (display === 'popup' ? openFor(provider) : null);
    const went = popup?.goTo(flow.authorizationUrl) ?? 'blocked';
    if (went === 'closed') throw new ApiError({ code: 'popup-closed', status: 0, problem: null });
    if (went === 'blocked') return leaveFor(flow, intent);
    setState({ at: 'away', provider });
    const looking = setInterval(() => {
      if (popup?.seemsClosed()) setState({ at: 'closed', provider });
    }, pollIntervalMs);
    const answer = await awaitAnswer({ provider: provider.id, flow: flow.flow }, signal).finally(() =>
      clearInterval(looking),
    );
    setState({ at: 'ending', provider });
    await onEnd(await endFlow(answer, intent, signal), provider);
    popup?.close();
    setState({ at: 'idle' });
  };

  const start = (provider: Provider) => {
    stop();
    const abort = new AbortController();
    running.current = { abort, popup: null };
    setState({ at: 'asking', provider });
    run(provider, prefersRedirect() && !isTakeRunning() ? 'redirect' : 'popup', abort.signal).catch(
      (error: unknown) => {
        if (abort.signal.aborted) return;
        stop();
        setState(onError?.(error, provider) === true ? { at: 'idle' } : { at: 'failed', provider, error });
      },
    );
  };

  const cancel = () => {
    stop();
    setState({ at: 'idle' });
  };

  return { state, start, cancel };
}

/** Links a provider's account to the signed-in user. */
export function useLinkFlow(onLinked: () => void) {
  const queries = useQueryClient();
  return useProviderFlow({
    intent: 'link',
    onEnd: async () => {
      await Promise.all([session.refresh(), queries.invalidateQueries({ queryKey: accountKeys.identities })]);
      onLinked();
    },
  });
}
