import { Trans, useLingui } from '@lingui/react/macro';
import type { Provider, SignInNeed } from '#contract/providers-api.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { TestDetails, TestOutcome } from './test-sign-in-result.tsx';
import { useTestSignIn, type TestSignInState } from './use-test-sign-in.ts';
import styles from './provider-tests.module.css';

/** What only a sign-in shows, and a button that starts one as a test. */
export function TestSignIn({ provider, needs }: { provider: Provider; needs: readonly SignInNeed[] }) {
  const { t } = useLingui();
  const { state, start, cancel } = useTestSignIn(provider);
  const name = iso(provider.name);
  const isRunning = state.at !== 'idle' && state.at !== 'done' && state.at !== 'failed';
  return (
    <div className={styles.tests}>
      {needs.length > 0 && <Needs needs={needs} />}
      <div>
        <Button isPending={isRunning} aria-label={t`Test sign-in with ${name}`} onPress={start}>
          {t`Test sign-in`}
        </Button>
      </div>
      <output>
        <Progress provider={provider} state={state} onAgain={start} onCancel={cancel} />
        {state.at === 'done' && <TestOutcome outcome={state.result.outcome} />}
      </output>
      {state.at === 'done' && <TestDetails result={state.result} />}
    </div>
  );
}

function Needs({ needs }: { needs: readonly SignInNeed[] }) {
  const { t } = useLingui();
  const labels: Record<SignInNeed['need'], string> = {
    signature: t`How the ID token is signed`,
    audience: t`Who the ID token is for`,
    claims: t`What the provider says about the user`,
  };
  return (
    <div className={styles.needs}>
      <p>
        <Trans>Only a sign-in shows:</Trans>
      </p>
      <ul>
        {needs.map(({ need, wanted, announced }) => (
          <li key={need}>
            {labels[need]}: <code dir="ltr">{wanted}</code>
            {announced !== null && announced !== '' && (
              <>
                {' '}
                <Trans>
                  (announced: <code dir="ltr">{announced}</code>)
                </Trans>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ProgressProps {
  provider: Provider;
  state: TestSignInState;
  onAgain: () => void;
  onCancel: () => void;
}

function Progress({ provider, state, onAgain, onCancel }: ProgressProps) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const name = iso(provider.name);
  if (state.at === 'idle' || state.at === 'done') return null;
  if (state.at === 'failed') return <Notice tone="warn">{errorMessage(state.error)}</Notice>;
  const messages = {
    asking: <Trans>Contacting {name}…</Trans>,
    blocked: <Trans>Your browser blocked the window.</Trans>,
    away: <Trans>Continue in the window that opened. This page will update when you’re done.</Trans>,
    closed: (
      <Trans>The {name} window seems to be closed. If you haven’t finished there, open it again.</Trans>
    ),
    ending: <Trans>Finishing with {name}…</Trans>,
  };
  return (
    <Notice
      tone={state.at === 'blocked' || state.at === 'closed' ? 'warn' : 'info'}
      action={
        <>
          {state.at === 'closed' && <Button onPress={onAgain}>{t`Reopen window`}</Button>}
          {state.at !== 'ending' && <Button variant="plain" onPress={onCancel}>{t`Cancel`}</Button>}
        </>
      }
    >
      {messages[state.at]}{' '}
      {state.at === 'blocked' && (
        <a href={state.url} target="_blank" rel="noopener noreferrer" className={styles.blocked}>
          {t`Open the window`}
        </a>
      )}
    </Notice>
  );
}
