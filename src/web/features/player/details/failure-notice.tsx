import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { RecordingDetails } from '#contract/recordings.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';

type Reason = NonNullable<RecordingDetails['failureReason']>;

const failureMessages: Record<Exclude<Reason, 'format-unsupported'>, MessageDescriptor> = {
  'not-audio': msg`Earshot can’t play this file. The original is stored.`,
  'no-audio-track': msg`This video has no sound.`,
  encrypted: msg`This file is copy-protected, so it can’t be played here.`,
  damaged: msg`This file is damaged: no sound could be read from it.`,
  empty: msg`This file has no sound.`,
};

export interface FailureNoticeProps {
  reason: RecordingDetails['failureReason'];
  className?: string | undefined;
}

/** Explains why an imported file can't be played, and that the original is still stored. */
export function FailureNotice({ reason, className }: FailureNoticeProps) {
  const { i18n } = useLingui();
  if (reason === 'format-unsupported') {
    return (
      <Notice
        tone="warn"
        role="note"
        className={className}
        title={<Trans>This server can’t convert this kind of file.</Trans>}
      >
        <Trans>
          Your browser may not be able to play the original. Download it to play it in another app.
        </Trans>
      </Notice>
    );
  }
  return (
    <Notice
      tone="danger"
      role="note"
      className={className}
      title={i18n._(failureMessages[reason ?? 'empty'])}
    >
      <Trans>
        The file is stored on the server exactly as you uploaded it. Download the original to try it in
        another app.
      </Trans>
    </Notice>
  );
}
