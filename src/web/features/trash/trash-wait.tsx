import { Trans, useLingui } from '@lingui/react/macro';
import type { RecordingPages } from '#web/api/queries/use-recording-pages.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { DeviceOnlyNotice } from '#web/request-states/unreachable-notice.tsx';

/** The reason why the trash may be incomplete. */
export function TrashWait({
  query: { isLoading, error, retry },
  isAway,
}: {
  query: Pick<RecordingPages, 'isLoading' | 'error' | 'retry'>;
  isAway: boolean;
}) {
  const { t } = useLingui();
  const messageOf = useErrorMessage();
  if (isAway) return <DeviceOnlyNotice />;
  if (isLoading) return <Spinner label={t`Opening…`} />;
  const action = (
    <Button onPress={retry}>
      <Trans>Try again</Trans>
    </Button>
  );
  return (
    error && (
      <Notice
        tone="warn"
        role="alert"
        title={<Trans>Couldn’t load the trash from the server.</Trans>}
        action={action}
      >
        {messageOf(error)}
      </Notice>
    )
  );
}
