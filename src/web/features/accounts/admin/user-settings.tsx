import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import { MissingQuotas } from './missing-quotas.tsx';
import { UserListItem } from './user-list-item.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

/** For administrators: the users of this server, and password reset links for users who can't sign in. */
export function UserSettings() {
  const { t } = useLingui();
  const answer = useInfiniteQuery({
    queryKey: accountKeys.people,
    queryFn: ({ signal, pageParam }) =>
      call('listUsers', { query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    meta: { what: msg`People` },
  });
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = answer;
  const people = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className={styles.page}>
      <Section
        title={<Trans>People</Trans>}
        hint={
          <Trans>
            If someone can’t sign in, you can create a password reset link for them. It works once, within 30
            minutes. Make sure you know who they are, and give it to them in person.
          </Trans>
        }
      >
        <QueryState of={accountKeys.people} answer={answer} label={t`Opening…`} />
        <MissingQuotas />
        {people.length > 0 && (
          <SettingsList>
            {people.map((user) => (
              <UserListItem key={user.id} user={user} />
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
    </div>
  );
}
