import { useState, type FormEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { User } from '#contract/accounts-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Section } from '#web/features/accounts/parts/section.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { isWordTyped } from './confirmation-word.ts';
import { deleteOwnAccount } from './delete-own-account.ts';
import { DeletionSummary } from './deletion-summary.tsx';
import { UnsentTakes, useOwnTakes } from './unsent-takes.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

/** Deletes the account after a dialog that explains the consequences. */
export function DeleteAccount({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={<Trans>Delete account</Trans>}
      hint={<Trans>You’ll see what happens to your recordings before anything is deleted.</Trans>}
    >
      <Button variant="danger" onPress={() => setOpen(true)}>
        <Trans>Delete account…</Trans>
      </Button>
      {isOpen && (
        <Dialog title={<Trans>Delete your account?</Trans>} role="alertdialog" isOpen onOpenChange={setOpen}>
          <Deletion user={user} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </Section>
  );
}

/** The consequences and the confirmation. */
function Deletion({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const [isRejected, setRejected] = useState(false);
  const { isRunning, ...takes } = useOwnTakes();
  const word = user.email ?? user.displayName;
  const remove = useAction(async () => {
    await deleteOwnAccount();
    onClose();
    showToast({ message: () => t`Your account has been deleted.` });
  });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return undefined;
    if (!isWordTyped(typed, word)) return setRejected(true);
    return remove.run();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className={styles.form}>
      <DeletionSummary />
      {isRunning && (
        <Notice tone="warn" role="alert">
          <Trans>A recording is running in this browser. Stop it before you delete your account.</Trans>
        </Notice>
      )}
      {!isRunning && <UnsentTakes {...takes} />}
      <TextField
        label={user.email === null ? t`Type your name to confirm` : t`Type your email address to confirm`}
        description={word}
        name="confirmation"
        autoComplete="off"
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setRejected(false);
        }}
        errorMessage={isRejected ? t`The text doesn’t match.` : null}
      />
      <div className={styles.dialogButtons}>
        <Button variant="plain" onPress={onClose}>
          <Trans>Keep my account</Trans>
        </Button>
        <Button type="submit" variant="danger" data-ends isDisabled={isRunning} isPending={remove.isPending}>
          <Trans>Delete permanently</Trans>
        </Button>
      </div>
    </form>
  );
}
