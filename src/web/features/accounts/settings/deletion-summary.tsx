import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { UnreachableNoticeFor } from '#web/request-states/unreachable-notice.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';

/** The consequences of deleting the account, as the server reports them. */
export function DeletionSummary() {
  const { t } = useLingui();
  const { date, duration } = useFormat();
  const answer = useQuery({
    queryKey: accountKeys.deletion,
    queryFn: ({ signal }) => call('previewAccountDeletion', { signal }),
    staleTime: 0,
    meta: { what: msg`Delete account` },
  });
  const { data } = answer;
  if (!data)
    return (
      <>
        <UnreachableNoticeFor of={accountKeys.deletion} />
        <QueryState of={accountKeys.deletion} answer={answer} label={t`Checking your recordings…`} />
      </>
    );
  const day = date(data.purgedAt);
  return (
    <>
      <Notice tone="warn">
        {data.recordings === 0 ? (
          <Trans>You have no recordings on this server.</Trans>
        ) : (
          <>
            <Plural
              value={data.recordings}
              one="# recording is on this server"
              other="# recordings are on this server"
            />
            {data.durationMs > 0 && ` (${duration(data.durationMs)})`}
            {'. '}
            {data.unfinished > 0 && (
              <>
                <Trans>Part of this is still being recorded or uploaded.</Trans>{' '}
              </>
            )}
            <Trans>
              Your recordings can’t be opened once the account is deleted, and they’ll be permanently erased
              on {day}. First download anything you want to keep.
            </Trans>
          </>
        )}
      </Notice>
      <p>
        <Trans>
          Passkeys, linked accounts and sessions end right away. You can’t undo this, and neither can the
          person who runs this server.
        </Trans>
      </p>
    </>
  );
}
