import { Trans, useLingui } from '@lingui/react/macro';
import type { Provider } from '#contract/providers-api.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { iso, type Isolated } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UnreachableNotice } from '#web/request-states/unreachable-notice.tsx';
import { ProviderIcon } from './provider-icon.tsx';
import type { ProviderState } from './use-provider-flow.ts';
import styles from '#web/features/accounts/accounts.module.css';

export interface ProviderButtonsProps {
  providers: readonly Provider[];
  /** The label of a provider's button; `name` is the provider's name. */
  labelOf: (name: Isolated, provider: Provider) => string;
  state: ProviderState;
  onChoose: (provider: Provider) => void;
  onCancel: () => void;
  /** The list of providers could not be loaded. */
  isUnanswered?: boolean;
  /** Small buttons in a row instead of large ones in a column. */
  isCompact?: boolean;
}

/** One button per provider. While a flow runs, its progress and buttons to restart or cancel it. */
export function ProviderButtons({
  providers,
  labelOf,
  state,
  onChoose,
  onCancel,
  isUnanswered = false,
  isCompact = false,
}: ProviderButtonsProps) {
  const errorMessage = useErrorMessage();
  if (state.at !== 'idle' && state.at !== 'failed')
    return <ProviderProgress state={state} onAgain={() => onChoose(state.provider)} onCancel={onCancel} />;
  return (
    <div className={isCompact ? styles.compactProviders : styles.providers}>
      {isUnanswered && <UnreachableNotice />}
      {state.at === 'failed' && (
        <Notice tone="warn" role="alert">
          {errorMessage(state.error)}
        </Notice>
      )}
      {providers.map((provider) => (
        <Button
          key={provider.id}
          size={isCompact ? 'm' : 'l'}
          icon={<ProviderIcon kind={provider.kind} />}
          className={isCompact ? undefined : styles.submit}
          onPress={() => onChoose(provider)}
        >
          {labelOf(iso(provider.name), provider)}
        </Button>
      ))}
    </div>
  );
}

interface ProgressProps {
  state: Exclude<ProviderState, { at: 'idle' | 'failed' }>;
  onAgain: () => void;
  onCancel: () => void;
}

function ProviderProgress({ state, onAgain, onCancel }: ProgressProps) {
  const { t } = useLingui();
  const name = iso(state.provider.name);
  const isAway = state.at === 'away' || state.at === 'closed';
  const messages = {
    asking: <Trans>Contacting {name}…</Trans>,
    slow: <Trans>{name} is taking a while to respond. Keep waiting, or choose another way.</Trans>,
    away: <Trans>Continue in the window that opened. This page will update when you’re done.</Trans>,
    closed: (
      <Trans>The {name} window seems to be closed. If you haven’t finished there, open it again.</Trans>
    ),
    ending: <Trans>Finishing with {name}…</Trans>,
  };
  return (
    <output>
      <Notice
        tone={state.at === 'slow' || state.at === 'closed' ? 'warn' : 'info'}
        action={
          <>
            {isAway && <Button onPress={onAgain}>{t`Reopen window`}</Button>}
            {state.at !== 'ending' && (
              <Button variant="plain" onPress={onCancel}>{t`Sign in another way`}</Button>
            )}
          </>
        }
      >
        {messages[state.at]}
      </Notice>
    </output>
  );
}
