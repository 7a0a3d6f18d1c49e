import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/accounts-api.ts';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import { reloadHistory } from '#web/features/accounts/reload-history.ts';
import { fieldMessage } from '#web/api/field-message.ts';
import { Switch } from '#web/ui/controls/switch.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { UnreachableNoticeFor } from '#web/request-states/unreachable-notice.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { AccountForm } from '#web/features/accounts/parts/account-form.tsx';
import { newPasswordErrors } from '#web/features/accounts/parts/check-typed.ts';
import { NewPasswordField } from '#web/features/accounts/parts/new-password-field.tsx';
import { useSubmission } from '#web/features/accounts/parts/use-submission.ts';
import { FinishTakes, useFinishTakes } from '#web/features/accounts/parts/finish-takes.tsx';

/** The fields of a new password. */
export function PasswordForm({
  user,
  hasPassword,
  onDone,
}: {
  user: User;
  hasPassword: boolean;
  onDone: () => void;
}) {
  const { t, i18n } = useLingui();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [keepOtherSessions, setKeepOtherSessions] = useState(false);
  const takes = useEndingTakes(keepOtherSessions);
  const submission = useSubmission(
    () => ({
      ...(hasPassword && current === '' && { currentPassword: fieldMessage({ code: 'required' }) }),
      ...newPasswordErrors(next),
    }),
    async () => {
      await call('changePassword', {
        body: {
          ...(hasPassword && { currentPassword: current }),
          newPassword: next,
          keepOtherSessions,
          finishTakesOf: takes.finishTakesOf,
        },
      });
      await Promise.all([session.refresh(), reloadHistory()]);
      onDone();
    },
    { 'invalid-credentials': 'currentPassword', 'password-locked': 'currentPassword' },
  );
  const { problems, clearError } = submission;
  return (
    <AccountForm submission={submission} submitLabel={t`Save`} name="password" takesFocus>
      <input type="text" name="email" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      {hasPassword && (
        <TextField
          label={t`Current password`}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          isRequired
          value={current}
          onChange={(typed) => {
            setCurrent(typed);
            clearError('currentPassword');
          }}
          errorMessage={problems.currentPassword && i18n._(problems.currentPassword)}
        />
      )}
      <NewPasswordField
        label={t`New password`}
        value={next}
        onChange={(typed) => {
          setNext(typed);
          clearError('password');
        }}
        problem={problems.password}
      />
      <Switch
        isSelected={keepOtherSessions}
        onChange={setKeepOtherSessions}
        description={t`If this is off, you’ll be signed out everywhere else.`}
      >{t`Stay signed in on other devices`}</Switch>
      <UnreachableNoticeFor of={accountKeys.devices} />
      <FinishTakes {...takes} />
    </AccountForm>
  );
}

/** The running takes of devices that a changed password signs out, or that were signed out before. */
function useEndingTakes(keepOtherSessions: boolean) {
  const { data } = useQuery({
    queryKey: accountKeys.devices,
    queryFn: ({ signal }) => call('listSessions', { signal }),
    staleTime: 0,
    meta: { what: msg`Where you’re signed in` },
  });
  const staying = new Set(keepOtherSessions ? data?.items.map(({ id }) => id) : []);
  return useFinishTakes((data?.takes ?? []).filter(({ sessionId }) => !staying.has(sessionId)));
}
