import { useState } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { SignInMethods } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import { reloadHistory } from '#web/features/accounts/reload-history.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from '#web/features/accounts/parts/section.tsx';
import { TotpSetUp, type TotpOffer } from './totp-set-up.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

type Open =
  | { what: 'set-up'; offer: TotpOffer }
  | { what: 'codes'; codes: readonly string[] }
  | { what: 'renewal' | 'removal' }
  | null;

/** Two-step sign-in with an authenticator app: turns it on or off and renews the recovery codes. */
export function TotpSection({ methods }: { methods: SignInMethods }) {
  const { t } = useLingui();
  const { hasTotp, recoveryCodesLeft } = methods;
  const [open, setOpen] = useState<Open>(null);
  const start = useAction(async () => setOpen({ what: 'set-up', offer: await call('startTotp') }));
  const renew = useAction(async () => {
    const { recoveryCodes } = await call('renewRecoveryCodes');
    await Promise.all([session.refresh(), reloadHistory()]);
    setOpen({ what: 'codes', codes: recoveryCodes });
  });
  const remove = useAction(async () => {
    await call('removeTotp');
    await Promise.all([session.refresh(), reloadHistory()]);
    showToast({ message: () => t`Two-step sign-in is off.` });
  });
  const handleConfirmed = async (codes: readonly string[]) => {
    setOpen({ what: 'codes', codes });
    await Promise.all([session.refresh(), reloadHistory()]);
  };
  const close = () => setOpen(null);
  return (
    <Section
      title={<Trans>Two-step sign-in</Trans>}
      hint={
        <Trans>
          After your password, you’ll enter a code from an app on your phone. Someone who learns your password
          still can’t get in.
        </Trans>
      }
    >
      {hasTotp ? (
        <>
          <p>
            <Trans>Two-step sign-in is on.</Trans>{' '}
            <Plural
              value={recoveryCodesLeft}
              one="# recovery code is left."
              other="# recovery codes are left."
            />
          </p>
          <div className={styles.buttons}>
            <Button
              isPending={renew.isPending}
              onPress={() => setOpen({ what: 'renewal' })}
            >{t`Get new recovery codes`}</Button>
            <Button
              variant="danger"
              isPending={remove.isPending}
              onPress={() => setOpen({ what: 'removal' })}
            >{t`Turn off`}</Button>
          </div>
        </>
      ) : (
        <Button isPending={start.isPending} onPress={() => start.run()}>{t`Turn on`}</Button>
      )}
      {open?.what === 'set-up' && (
        <Dialog title={<Trans>Turn on two-step sign-in</Trans>} isOpen onOpenChange={close}>
          <TotpSetUp offer={open.offer} onConfirmed={handleConfirmed} />
        </Dialog>
      )}
      {open?.what === 'codes' && (
        <Dialog title={<Trans>Your recovery codes</Trans>} role="alertdialog" isOpen onOpenChange={close}>
          <RecoveryCodes codes={open.codes} onDone={close} />
        </Dialog>
      )}
      {open?.what === 'renewal' && (
        <ConfirmDialog
          title={<Trans>Get new recovery codes?</Trans>}
          action={<Trans>Get new codes</Trans>}
          onConfirm={() => renew.run()}
          onClose={close}
        >
          <Trans>Your current codes will stop working.</Trans>
        </ConfirmDialog>
      )}
      {open?.what === 'removal' && (
        <ConfirmDialog
          title={<Trans>Turn off two-step sign-in?</Trans>}
          action={<Trans>Turn off</Trans>}
          onConfirm={() => remove.run()}
          onClose={close}
        >
          <Trans>Your password alone will be enough to sign in.</Trans>
        </ConfirmDialog>
      )}
    </Section>
  );
}
