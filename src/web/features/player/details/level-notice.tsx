import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useFormat } from '#web/i18n/use-format.ts';

/** Says that a file with sound above full scale is played quieter than it is. */
export function LevelNotice({
  quieterByDb,
  className,
}: {
  quieterByDb: number | null;
  className?: string | undefined;
}) {
  const format = useFormat();
  if (quieterByDb === null || quieterByDb === 0) return null;
  const decibels = format.number(quieterByDb);
  return (
    <Notice tone="info" role="note" className={className}>
      <Trans>
        This file is too loud for most players. It’s played {decibels} dB quieter, so that nothing is
        distorted. The original file and a WAV download have the original level.
      </Trans>
    </Notice>
  );
}
