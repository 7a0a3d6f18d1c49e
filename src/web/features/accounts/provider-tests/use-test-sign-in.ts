import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { ProviderAnswer } from '#contract/provider-answer.ts';
import type { Provider, TestSignInResult } from '#contract/providers-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { iso } from '#web/i18n/iso.ts';
import { deleteAnswer, readAnswer } from '#web/features/accounts/providers/provider-answer.ts';
import { awaitAnswer } from '#web/features/accounts/providers/provider-flow.ts';
import { openPopup, type ProviderPopup } from '#web/features/accounts/providers/provider-popup.ts';

/**
 * `asking`: the provider's URL is being requested. `blocked`: the browser blocked the window, and `url` is where it
 * would have gone. `away`: the administrator is in the provider's window. `closed`: that window seems to be closed.
 */
export type TestSignInState =
  | { at: 'idle' | 'asking' | 'away' | 'closed' | 'ending' }
  | { at: 'blocked'; url: string }
  | { at: 'done'; result: TestSignInResult }
  | { at: 'failed'; error: unknown };

const pollIntervalMs = 700;

const finish = ({ provider, body }: ProviderAnswer, signal?: AbortSignal): Promise<TestSignInResult> =>
  call('finishTestSignIn', { params: { provider }, body, signal });

/** The response that the window brought here because the page that started the test was gone; else null. */
export function broughtAnswer(provider: string): ProviderAnswer | null {
  const answer = readAnswer()?.answer ?? null;
  return answer?.provider === provider && answer.body.state?.startsWith('t') === true ? answer : null;
}

/** Runs one test sign-in at a time, in a window beside this page. */
export function useTestSignIn(provider: Pick<Provider, 'id' | 'name'>) {
  const { id } = provider;
  const name = iso(provider.name);
  const { t } = useLingui();
  const [brought] = useState(() => broughtAnswer(id));
  const [state, setState] = useState<TestSignInState>({ at: brought ? 'ending' : 'idle' });
  const running = useRef<{ abort: AbortController; popup: ProviderPopup } | null>(null);

  const stop = () => {
    running.current?.abort.abort();
    running.current?.popup.close();
    running.current = null;
  };
  const stopOnLeave = useEffectEvent(stop);
  useEffect(() => () => stopOnLeave(), []);

  useEffect(() => {
    if (!brought) return;
    deleteAnswer();
    finish(brought).then(
      (result) => setState({ at: 'done', result }),
      (error: unknown) => setState({ at: 'failed', error }),
    );
  }, [brought]);

  const run = async (popup: ProviderPopup, signal: AbortSignal) => {
    const { authorizationUrl, flow } = await call('startTestSignIn', { params: { provider: id }, signal });
    const went = popup.goTo(authorizationUrl);
    if (went === 'closed') throw new ApiError({ code: 'popup-closed', status: 0, problem: null });
    setState(went === 'blocked' ? { at: 'blocked', url: authorizationUrl } : { at: 'away' });
    const looking = setInterval(() => {
      if (popup.seemsClosed()) setState({ at: 'closed' });
    }, pollIntervalMs);
    const answer = await awaitAnswer({ provider: id, flow }, signal).finally(() => clearInterval(looking));
    setState({ at: 'ending' });
    const result = await finish(answer, signal);
    popup.close();
    setState({ at: 'done', result });
  };

  const start = () => {
    stop();
    const abort = new AbortController();
    const popup = openPopup(t`Opening ${name}…`);
    running.current = { abort, popup };
    setState({ at: 'asking' });
    run(popup, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return;
      stop();
      setState({ at: 'failed', error });
    });
  };

  const cancel = () => {
    stop();
    setState({ at: 'idle' });
  };

  return { state, start, cancel };
}
