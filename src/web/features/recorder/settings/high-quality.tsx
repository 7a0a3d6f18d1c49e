import { useEffect } from 'react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import notices from '#web/features/recorder/notices/notices.module.css';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isRunning } from '#web/features/recorder/take/take.ts';

/** What *High* leaves out. */
export function HighQuality() {
  return (
    <Trans>
      High quality records without noise reduction, echo cancellation and automatic level. It’s best with a
      good microphone near each voice.
    </Trans>
  );
}

const handleExplained = () => audioPreferences.change({ isHighExplained: true });

/**
 * Explains *High* once after it was chosen, also before this explanation existed: until the user has read it or the
 * next take runs.
 */
export function HighQualityNotice() {
  const { quality, isHighExplained } = useStore(audioPreferences);
  const isShown = quality === 'high' && !isHighExplained;
  useEffect(() => {
    if (!isShown) return undefined;
    return recorder.subscribe(() => {
      if (isRunning(recorder.getSnapshot())) handleExplained();
    });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <Notice
      tone="info"
      className={notices.notice}
      action={
        <Button onPress={handleExplained}>
          <Trans>OK</Trans>
        </Button>
      }
    >
      <HighQuality />
    </Notice>
  );
}
