import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { User } from '#contract/accounts-api.ts';
import { cancelStepUp } from '#web/api/step-up-prompt.ts';
import { useSession } from '#web/api/session.ts';
import { confirmSignIn } from '#web/api/sign-in-prompt.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { hasPasskeys } from '#web/features/accounts/passkeys/web-authn.ts';
import { ProviderButtons } from '#web/features/accounts/providers/provider-buttons.tsx';
import { useProviderFlow } from '#web/features/accounts/providers/use-provider-flow.ts';
import { useLinkedProviders } from '#web/features/accounts/providers/use-providers.ts';
import { proveAndResume, type Proof } from './prove.ts';
import { ProofForm } from './proof-form.tsx';
import styles from '#web/features/accounts/accounts.module.css';

/**
 * Asks a user who signed in a while ago to confirm their identity before a sensitive action, which then continues
 * automatically.
 */
export function StepUpDialog({ user }: { user: User }) {
  const { t } = useLingui();
  const { methods } = useSession();
  const offered = (methods?.reauthenticateBy ?? []).filter((method) => method !== 'passkey' || hasPasskeys());
  const [chosen, setChosen] = useState<Proof['method'] | null>(null);
  const method = chosen ?? offered[0] ?? null;
  const { providers, isUnanswered } = useLinkedProviders();
  const flow = useProviderFlow({
    intent: 'reauthenticate',
    onEnd: async () => {
      await confirmSignIn();
    },
  });
  const messages: Record<Proof['method'], string> = {
    password: t`Use your password`,
    totp: t`Use a code from your app`,
    passkey: t`Use a passkey`,
  };
  return (
    <Dialog
      title={<Trans>Confirm it’s you</Trans>}
      size="s"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) cancelStepUp();
      }}
    >
      <div className={styles.panel}>
        <p className={styles.why}>
          <Trans>
            Confirm it’s you to change how <UserText>{user.displayName}</UserText>’s account is protected. You
            won’t be asked again for ten minutes.
          </Trans>
        </p>
        {method && <ProofForm key={method} method={method} email={user.email} onProof={proveAndResume} />}
        <div className={styles.ways}>
          {offered
            .filter((other) => other !== method)
            .map((other) => (
              <Button key={other} variant="plain" onPress={() => setChosen(other)}>
                {messages[other]}
              </Button>
            ))}
        </div>
        {(isUnanswered || providers.length > 0) && (
          <ProviderButtons
            isUnanswered={isUnanswered}
            providers={providers}
            labelOf={(name) => t`Confirm with ${name}`}
            state={flow.state}
            onChoose={flow.start}
            onCancel={flow.cancel}
          />
        )}
      </div>
    </Dialog>
  );
}
