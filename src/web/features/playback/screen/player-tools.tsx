import { useLingui } from '@lingui/react/macro';
import { Flag } from 'lucide-react';
import { useKeyLabel } from '#web/keys/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { player } from '../engine/shared-player.ts';
import { momentFragment } from '../moment.ts';
import { SpeedSelect, Volume } from '../options/loudness.tsx';
import { PlaybackOptions } from '../options/playback-options.tsx';
import { QueueButton } from '../queue/queue-button.tsx';
import { SelectionTools } from '../selection/selection-tools.tsx';
import type { Waveform } from '../waveform/waveform.ts';
import { ZoomButtons } from '../waveform/zoom-buttons.tsx';
import { CopyLink } from './copy-link.tsx';
import styles from './screen.module.css';

export interface PlayerToolsProps { recordingId: string; waveform: Waveform; onAddMarker: (() => void) | undefined }

/** Speed, volume, playback options, the queue, the selection, markers and the link to this moment. */
export function PlayerTools({ recordingId, waveform, onAddMarker }: PlayerToolsProps) {
  const { t } = useLingui();
  const markKey = useKeyLabel('player.mark');
  return (
    <div className={styles.tools}>
      <div className={styles.toolGroup}>
        <SpeedSelect />
        <span className={styles.wideOnly}><Volume /></span>
        <PlaybackOptions />
        <QueueButton />
      </div>
      <SelectionTools />
      <div className={styles.toolGroup}>
        {onAddMarker && <IconButton label={t`Add marker`} shortcut={markKey} icon={<Flag />} word={t`Marker`} onPress={onAddMarker} />}
        <CopyLink recordingId={recordingId} label={t`Copy link to this moment`} word={t({ message: 'Link', comment: 'Short label of the button “Copy link to this moment”; use a word that its long label contains' })} done={() => t`Link to this moment copied`} fragment={() => momentFragment(player.positionMs())} />
      </div>
      <span className={styles.narrowZoom}><ZoomButtons waveform={waveform} /></span>
    </div>
  );
}
