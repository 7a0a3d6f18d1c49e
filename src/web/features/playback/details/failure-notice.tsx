import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { RecordingDetails } from '#contract/recordings.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';

type Reason = NonNullable<RecordingDetails['failureReason']>;

const reasonWords: Record<Exclude<Reason, 'format-unsupported'>, MessageDescriptor> = {
  'not-audio': msg`No sound found`,
  'no-audio-track': msg`There is no sound in this video.`,
  encrypted: msg`This file is protected against copying, so nobody here could play it.`,
  damaged: msg`This file is damaged: no sound can be read from it.`,
  empty: msg`There is no sound in this file.`,
};

export interface FailureNoticeProps { reason: RecordingDetails['failureReason']; className?: string | undefined }

/** Says why an imported file cannot be heard, and that it is not lost. */
export function FailureNotice({ reason, className }: FailureNoticeProps) {
  const { i18n } = useLingui();
  if (reason === 'format-unsupported') {
    return (
      <Notice tone="warn" role="note" className={className} title={<Trans>This server cannot convert files of this kind.</Trans>}>
        <Trans>Your browser may be unable to play it. Download the original to play it in another program.</Trans>
      </Notice>
    );
  }
  return (
    <Notice tone="danger" role="note" className={className} title={i18n._(reasonWords[reason ?? 'empty'])}>
      <Trans>The server stores the file exactly as you sent it. Download the original to try it in another program.</Trans>
    </Notice>
  );
}
