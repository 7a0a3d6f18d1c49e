import { Trans } from '@lingui/react/macro';
import { isUnreached } from '#web/api/api-error.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { lastList } from '#web/api/last-list.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UnreachableNotice } from '#web/request-states/unreachable-notice.tsx';

/** Shown for a recording that can't be opened now, with its title if the cached list has it. */
export function RecordingUnreachable({
  recordingId,
  error,
  onRetry,
}: {
  recordingId: string;
  error: unknown;
  onRetry: () => void;
}) {
  const messageOf = useErrorMessage();
  const isAway = error === null || isUnreached(error);
  const userId = useViewerId();
  const known = lastList(userId).recordings.find(({ id }) => id === recordingId);
  return (
    <>
      <PageHeader title={known ? <RecordingTitle of={known} /> : <Trans>Recording</Trans>} />
      {isAway && (
        <UnreachableNotice>
          <Trans>Couldn’t open the recording.</Trans>{' '}
          <Trans>The recording opens when the server responds.</Trans>
        </UnreachableNotice>
      )}
      {!isAway && (
        <Notice
          tone="danger"
          role="alert"
          title={<Trans>Couldn’t open the recording.</Trans>}
          action={
            <Button onPress={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          {messageOf(error)}
        </Notice>
      )}
    </>
  );
}
