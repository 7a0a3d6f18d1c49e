import { useState, type FormEvent } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { accountKeys } from '../account-keys.ts';
import { useAction } from '../parts/use-action.ts';
import styles from '../parts/settings.module.css';

/** What deleting means, and the confirmation. */
export function Deletion({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const word = user.email ?? user.displayName;
  const remove = useAction(async () => {
    await call('deleteAccount');
    onClose();
    await session.refresh();
    showToast({ message: () => t`Your account has been deleted.` });
  });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() !== word.toLowerCase()) return setRefused(true);
    remove.run();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className={styles.form}>
      <WhatGoes />
      <TextField
        label={user.email === null ? t`Type your name to confirm` : t`Type your email address to confirm`} description={word} name="confirmation" autoComplete="off"
        value={typed} onChange={(text) => { setTyped(text); setRefused(false); }} errorMessage={isRefused ? t`The text doesn’t match.` : null}
      />
      <div className={styles.dialogButtons}>
        <Button variant="plain" onPress={onClose}><Trans>Keep my account</Trans></Button>
        <Button type="submit" variant="danger" data-ends isPending={remove.isPending}><Trans>Delete permanently</Trans></Button>
      </div>
    </form>
  );
}

/** What the server says it will do. */
function WhatGoes() {
  const { date, duration } = useFormat();
  const { data } = useQuery({ queryKey: accountKeys.deletion, queryFn: ({ signal }) => call('previewAccountDeletion', { signal }), staleTime: 0 });
  if (!data) return <p><Trans>Checking your recordings…</Trans></p>;
  const length = duration(data.durationMs);
  const day = date(data.purgedAt);
  return (
    <>
      <Notice tone="warn">
        {data.recordings === 0
          ? <Trans>You have no recordings on this server.</Trans>
          : <>
            <Plural value={data.recordings} one="# recording is on this server" other="# recordings are on this server" /> ({length}).{' '}
            <Trans>Your recordings can’t be opened once the account is deleted, and they’ll be permanently erased on {day}. First download anything you want to keep.</Trans>
          </>}
      </Notice>
      <p><Trans>Passkeys, linked accounts and sessions end right away. You can’t undo this, and neither can the person who runs this server.</Trans></p>
    </>
  );
}
