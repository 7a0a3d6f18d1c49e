import { useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { listedGaps } from '#contract/gap-summary.ts';
import { GapMessage } from '#web/recordings/gaps/gap-message.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import { useShortLength } from './use-short-length.ts';
import styles from './notices.module.css';

interface GapNoticeProps {
  take: Pick<Take, 'gaps' | 'deviceLabel' | 'microphoneChangeGap'>;
  isPaused: boolean;
}

/** Shorter gaps get no notice; the player still lists them. */
const shownFromMs = 300;

/**
 * Shows the newest gap, or stretch of small gaps, until the user confirms it, and the microphone if another one took
 * over at that gap.
 */
export function GapNotice({ take, isPaused }: GapNoticeProps) {
  const [seen, setSeen] = useState(0);
  const length = useShortLength();
  const relevant = listedGaps(take.gaps).filter(({ missingMs }) => missingMs >= shownFromMs);
  const gap = relevant.at(-1);
  if (!gap || relevant.length <= seen) return null;
  const isChange = gap.pieces.some((piece) => take.gaps.indexOf(piece) === take.microphoneChangeGap);
  return (
    <Notice
      tone="warn"
      className={styles.notice}
      title={<GapMessage cause={gap.cause} length={length(gap.missingMs)} />}
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
      {!isPaused && <Continuing take={take} isChange={isChange} />}
    </Notice>
  );
}

interface ContinuingProps {
  take: Pick<Take, 'deviceLabel'>;
  /** Whether this microphone took over. */
  isChange: boolean;
}

function Continuing({ take, isChange }: ContinuingProps) {
  return take.deviceLabel === null || !isChange ? (
    <Trans>Recording continues.</Trans>
  ) : (
    <Trans>
      Recording continues with <UserText>{take.deviceLabel}</UserText>.
    </Trans>
  );
}
