import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import type { AccountEventName, AccountHistoryEntry } from '#contract/administration-api.ts';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { SettingsItem, SettingsList, Section } from '#web/features/accounts/parts/section.tsx';

/** Events that are also sent by e-mail have the same wording as the e-mail. */
const eventMessages: Record<AccountEventName, MessageDescriptor> = {
  'account.created': msg`The account was created.`,
  'account.disabled': msg`The account was turned off.`,
  'account.enabled': msg`The account was turned on again.`,
  'password.reset-link-made': msg`A password reset link was created.`,
  'password.reset': msg`A new password was set with a reset link.`,
  'password.changed': msg`The password of your Earshot account was changed.`,
  'email.changed': msg`The email address of your Earshot account was changed.`,
  'email.change-undone': msg`A change of email address was undone.`,
  'totp.on': msg`Two-step sign-in was turned on for your Earshot account.`,
  'totp.off': msg`Two-step sign-in was turned off for your Earshot account.`,
  'passkey.added': msg`A passkey was added to your Earshot account.`,
  'passkey.removed': msg`A passkey was removed from your Earshot account.`,
  'identity.linked': msg`A new way to sign in was linked to your Earshot account.`,
  'identity.unlinked': msg`A way to sign in was removed from your Earshot account.`,
};

/** The time of an event, and the user or network that caused it. */
function EntryFacts({ entry }: { entry: AccountHistoryEntry }) {
  const { dateTime } = useFormat();
  const when = dateTime(entry.at);
  if (entry.byName !== null)
    return (
      <Trans>
        {when}, by <UserText>{entry.byName}</UserText>
      </Trans>
    );
  return entry.ipPrefix === '' ? (
    <Trans>{when}, from the server’s console</Trans>
  ) : (
    <Trans>
      {when}, from{' '}
      <bdi dir="ltr" translate="no">
        {entry.ipPrefix}
      </bdi>
    </Trans>
  );
}

/** Lists the changes to the account's sign-in methods, and who made them. */
export function HistorySection() {
  const { t, i18n } = useLingui();
  const answer = useInfiniteQuery({
    queryKey: accountKeys.history,
    queryFn: ({ signal, pageParam }) =>
      call('getAccountHistory', { query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    meta: { what: msg`History` },
  });
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = answer;
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Section
      title={<Trans>History</Trans>}
      hint={
        <Trans>
          Changes to how you sign in. An administrator of this server can create a password reset link, which
          gives them access to everything in your account. Each link is listed here, and you’ll see a notice
          about it when you next sign in.
        </Trans>
      }
    >
      <QueryState of={accountKeys.history} answer={answer} label={t`Opening…`} />
      {entries.length > 0 && (
        <SettingsList>
          {entries.map((entry) => (
            <SettingsItem key={entry.id} icon={<History />} title={i18n._(eventMessages[entry.event])}>
              <EntryFacts entry={entry} />
            </SettingsItem>
          ))}
        </SettingsList>
      )}
      {hasNextPage && (
        <Button
          isPending={isFetchingNextPage}
          onPress={() => {
            void fetchNextPage();
          }}
        >{t`Show more`}</Button>
      )}
    </Section>
  );
}
