import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { session } from '#web/api/session.ts';
import { reloadHistory } from '#web/features/accounts/reload-history.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { hasPasskeys, createPasskey } from '#web/features/accounts/passkeys/web-authn.ts';
import { SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { PasskeyListItem } from './passkey-list-item.tsx';

/** The passkeys of the account: add, name, remove. */
export function PasskeysSection() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const answer = useQuery({
    queryKey: accountKeys.passkeys,
    queryFn: ({ signal }) => call('listPasskeys', { signal }),
    meta: { what: msg`Passkeys` },
  });
  const reload = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: accountKeys.passkeys }),
      reloadHistory(),
      session.refresh(),
    ]);
  };
  const add = useAction(async () => {
    const { flow, options } = await call('startPasskeyRegistration');
    await call('finishPasskeyRegistration', { body: { flow, credential: await createPasskey(options) } });
    await reload();
    showToast({ message: () => t`Passkey added. You can now sign in with it.`, tone: 'success' });
  });
  const passkeys = answer.data?.items ?? [];
  return (
    <Section
      title={<Trans>Passkeys</Trans>}
      hint={
        <Trans>
          Sign in with your fingerprint, face or screen lock. There’s nothing to remember, and nothing a fake
          site could steal.
        </Trans>
      }
    >
      <QueryState of={accountKeys.passkeys} answer={answer} label={t`Opening…`} />
      {passkeys.length > 0 && (
        <SettingsList>
          {passkeys.map((passkey) => (
            <PasskeyListItem key={passkey.id} passkey={passkey} onChanged={reload} />
          ))}
        </SettingsList>
      )}
      {hasPasskeys() ? (
        <Button isPending={add.isPending} onPress={() => add.run()}>{t`Add passkey`}</Button>
      ) : (
        <p>
          <Trans>This browser can’t create passkeys for this site.</Trans>
        </p>
      )}
    </Section>
  );
}
