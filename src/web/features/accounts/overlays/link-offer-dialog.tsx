import { Trans, useLingui } from '@lingui/react/macro';
import type { Provider } from '#contract/providers-api.ts';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { offerLink } from '#web/features/accounts/providers/link-offer.ts';
import { ProviderButtons } from '#web/features/accounts/providers/provider-buttons.tsx';
import { useLinkFlow } from '#web/features/accounts/providers/use-provider-flow.ts';
import styles from './overlays.module.css';

/** Offers, after a sign-in with an existing method, to link the new provider to the same account. */
export function LinkOfferDialog({ provider }: { provider: Provider }) {
  const { t } = useLingui();
  const name = iso(provider.name);
  const { state, start, cancel } = useLinkFlow(() => {
    offerLink(null);
    showToast({ message: () => t`${name} is now linked to your account.`, tone: 'success' });
  });
  return (
    <Dialog title={<Trans>Link {name}?</Trans>} size="s" isOpen onOpenChange={() => offerLink(null)}>
      <div className={styles.question}>
        <p>
          <Trans>
            You’re signed in. If you link your {name} account, you can sign in either way from now on.
          </Trans>
        </p>
        <ProviderButtons
          providers={[provider]}
          labelOf={() => t`Link ${name}`}
          state={state}
          onChoose={start}
          onCancel={cancel}
        />
        <div className={styles.actions}>
          <Button variant="plain" onPress={() => offerLink(null)}>
            <Trans>Not now</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
