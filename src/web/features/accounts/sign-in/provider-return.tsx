import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { ApiError } from '#web/api/api-error.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { session } from '#web/api/session.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { secondFactorOf, type SignInStep } from './sign-in-step.ts';
import { useWelcome } from '#web/features/accounts/parts/use-welcome.ts';
import { offerLink } from '#web/features/accounts/providers/link-offer.ts';
import { readAnswer, deleteAnswer } from '#web/features/accounts/providers/provider-answer.ts';
import { endFlow, type ProviderEnd } from '#web/features/accounts/providers/provider-flow.ts';
import { isProviderWindow } from '#web/features/accounts/providers/provider-popup.ts';
import { useProviders } from '#web/features/accounts/providers/use-providers.ts';

type Returned =
  | { at: 'none' }
  | { at: 'ending' }
  | { at: 'step'; step: SignInStep }
  | { at: 'failed'; error: unknown };

export interface ProviderReturnProps {
  onDone: (returnTo: string | null) => void;
  children: (firstStep: SignInStep | null, failure: ReactNode) => ReactNode;
}

/**
 * Handles the return from a provider: sends its response to the server, then returns to the page where the user
 * was.
 */
export function ProviderReturn({ onDone, children }: ProviderReturnProps) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const welcome = useWelcome();
  const providers = useProviders();
  const [taken] = useState(readAnswer);
  const [state, setState] = useState<Returned>(taken ? { at: 'ending' } : { at: 'none' });

  const finish = useEffectEvent(async (end: ProviderEnd) => {
    if (!('user' in end))
      return setState({ at: 'step', step: { at: 'second-factor', wanted: secondFactorOf(end) } });
    await (end.intent === 'link' ? session.refresh() : welcome(end));
    // A separate window was only opened for this.
    if (isProviderWindow()) close();
    onDone(end.returnTo);
  });
  const fail = useEffectEvent((error: unknown) => {
    const provider = providers.find(({ id }) => id === taken?.answer.provider) ?? {
      id: taken?.answer.provider ?? '',
      name: taken?.answer.provider ?? '',
      kind: 'oidc' as const,
    };
    if (!(error instanceof ApiError) || error.code !== 'account-exists')
      return setState({ at: 'failed', error });
    offerLink(provider);
    setState({ at: 'step', step: { at: 'account-exists', provider, methods: error.problem?.methods ?? [] } });
  });
  useEffect(() => {
    if (!taken) return;
    deleteAnswer();
    // The signed-in user has to be known first, because linking names that user.
    session
      .refresh()
      .catch(() => undefined)
      .then(() => endFlow(taken.answer, taken.intent))
      .then(finish)
      .catch(fail);
  }, [taken]);

  if (state.at === 'ending') return <Spinner label={t`Signing in…`} />;
  const failure =
    state.at === 'failed' ? (
      <Notice tone="warn" role="alert" title={<Trans>Couldn’t complete this step</Trans>}>
        {errorMessage(state.error)}
      </Notice>
    ) : null;
  return children(state.at === 'step' ? state.step : null, failure);
}
