import { useLingui } from '@lingui/react/macro';
import { Flag } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { PlayableActions, PlayableRecording } from '#web/features/player/playable-recording.ts';
import { momentFragment } from '#web/features/player/moment.ts';
import { SpeedSelect, Volume } from '#web/features/player/controls/loudness.tsx';
import { PlaybackOptions } from '#web/features/player/controls/playback-options.tsx';
import { QueueButton } from '#web/features/player/controls/queue-button.tsx';
import { SelectionTools } from './selection-tools.tsx';
import type { Waveform } from '#web/features/player/waveform/waveform.ts';
import { ZoomButtons } from '#web/features/player/waveform/zoom-buttons.tsx';
import { CopyLink } from './copy-link.tsx';
import styles from './screen.module.css';

export interface PlayerToolsProps {
  recording: Pick<PlayableRecording, 'id' | 'durationMs'>;
  waveform: Waveform;
  onAddMarker: (() => void) | undefined;
  /** Shares a part, or all. */
  onShare: PlayableActions['share'];
}

/** Shares what is heard from this moment on; all of it near the end, where too little is left. */
const shareMoment =
  (share: NonNullable<PlayableActions['share']>, { durationMs }: Pick<PlayableRecording, 'durationMs'>) =>
  () => {
    const fromMs = Math.floor(player.positionMs());
    const toMs = Math.floor(durationMs);
    share(toMs - fromMs >= limits.share.minMs ? { fromMs, toMs } : null);
  };

/** Speed, volume, playback options, queue, selection, markers and the link to the current moment. */
export function PlayerTools({ recording, waveform, onAddMarker, onShare }: PlayerToolsProps) {
  const { t } = useLingui();
  const markKey = useKeyLabel('player.mark');
  return (
    <div className={styles.tools}>
      <div className={styles.toolGroup}>
        <SpeedSelect />
        <span className={styles.wideOnly}>
          <Volume />
        </span>
        <PlaybackOptions />
        <QueueButton />
      </div>
      <SelectionTools />
      <div className={styles.toolGroup}>
        {onAddMarker && (
          <IconButton
            label={t`Add marker`}
            shortcut={markKey}
            icon={<Flag />}
            word={t`Marker`}
            onPress={onAddMarker}
          />
        )}
        <CopyLink
          recordingId={recording.id}
          label={t`Copy link to this moment`}
          word={t({
            message: 'Link',
            comment:
              'Short label of the button “Copy link to this moment”; use a word that its long label contains',
          })}
          done={() => t`Copied. Only you can open it.`}
          action={onShare && { label: () => t`Share this moment`, onAction: shareMoment(onShare, recording) }}
          fragment={() => momentFragment(player.positionMs())}
        />
      </div>
      <span className={styles.narrowZoom}>
        <ZoomButtons waveform={waveform} />
      </span>
    </div>
  );
}
