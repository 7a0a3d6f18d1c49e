import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ManagedUser } from '#contract/credentials-api.ts';
import { call } from '#web/api/call.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { useAction } from '#web/request-states/use-action.ts';

const opening = { autoFocus: true } as const;
const bytesPerGigabyte = 1_000_000_000;

/** Converts typed gigabytes to bytes; null if empty, undefined if not a valid number. */
function bytesOf(typed: string): number | null | undefined {
  const text = typed.trim().replace(',', '.');
  if (text === '') return null;
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) return undefined;
  return Math.round(Number(text) * bytesPerGigabyte);
}

/** Lets an administrator set how much a user may store. */
export function QuotaDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [typed, setTyped] = useState(
    user.quotaBytes === null ? '' : String(user.quotaBytes / bytesPerGigabyte),
  );
  const [isRejected, setRejected] = useState(false);
  const save = useAction(async (quotaBytes: number | null) => {
    await call('changeUser', { params: { userId: user.id }, body: { quotaBytes } });
    await client.invalidateQueries({ queryKey: accountKeys.people });
    await client.invalidateQueries({ queryKey: accountKeys.missingQuotas });
    onClose();
  });
  const handleSubmit = () => {
    const bytes = bytesOf(typed);
    if (bytes === undefined) return setRejected(true);
    save.run(bytes);
  };
  return (
    <FormDialog
      title={<Trans>Storage limit</Trans>}
      size="s"
      isPending={save.isPending}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <p>
        <Trans>
          How much <UserText>{user.displayName}</UserText> can store on this server. A recording in progress
          is always finished, even if it goes over.
        </Trans>
      </p>
      <TextField
        label={t`Gigabytes`}
        description={t`Leave empty to use the default limit.`}
        name="quota"
        inputMode="decimal"
        value={typed}
        onChange={setTyped}
        {...opening}
        errorMessage={isRejected ? t`Enter a number, such as 20 or 2.5.` : null}
      />
    </FormDialog>
  );
}
