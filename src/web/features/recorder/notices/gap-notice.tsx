import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import type { Gap, GapCause } from '#contract/recordings.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import { useShortLength } from './use-short-length.ts';
import styles from './notices.module.css';

/** Shorter gaps get no notice; the player still lists them. */
const shownFromMs = 300;

/** The cause and length of a gap, as a sentence. */
export function GapMessage({ cause, length }: { cause: GapCause; length: string }) {
  switch (cause) {
    case 'microphone-lost':
      return <Trans>The microphone was disconnected for {length}.</Trans>;
    case 'interrupted':
      return <Trans>Audio was interrupted for {length}.</Trans>;
    case 'device-slept':
      return <Trans>This device was asleep for {length}.</Trans>;
    case 'page-killed':
      return <Trans>The page was closed for {length}.</Trans>;
    case 'stopped':
      return <Trans>Recording was stopped for {length}.</Trans>;
    case 'storage-full':
      return <Trans>This device was full for {length}.</Trans>;
    case 'unknown':
      return <Trans>{length} of audio is missing.</Trans>;
  }
}

/** Shows the newest gap until the user confirms it, and the microphone if another one took over at that gap. */
export function GapNotice({ take }: { take: Pick<Take, 'gaps' | 'deviceLabel' | 'microphoneChangeGap'> }) {
  const [seen, setSeen] = useState(0);
  const length = useShortLength();
  const relevant = take.gaps.filter((gap: Gap) => gap.durationMs >= shownFromMs);
  const gap = relevant.at(-1);
  if (!gap || relevant.length <= seen) return null;
  return (
    <Notice
      tone="warn"
      className={styles.notice}
      title={<GapMessage cause={gap.cause} length={length(gap.durationMs)} />}
      action={
        <Button
          onPress={() => {
            setSeen(relevant.length);
          }}
        >
          <Trans>OK</Trans>
        </Button>
      }
    >
      {take.deviceLabel === null || take.gaps.indexOf(gap) !== take.microphoneChangeGap ? (
        <Trans>Recording continues.</Trans>
      ) : (
        <Trans>
          Recording continues with <UserText>{take.deviceLabel}</UserText>.
        </Trans>
      )}
    </Notice>
  );
}
