import { useLingui } from '@lingui/react/macro';
import { Flag } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import type { Waveform } from '../waveform/waveform.ts';
import { ZoomButtons } from '../waveform/zoom-buttons.tsx';
import { CopyMoment } from './copy-moment.tsx';
import { SpeedSelect, Volume } from './playback-options.tsx';
import styles from './screen.module.css';

export interface PlayerToolsProps { recordingId: string; waveform: Waveform; onAddMarker: (() => void) | undefined }

/** What is set rather than played: speed, volume, markers, the link to this moment, the zoom. */
export function PlayerTools({ recordingId, waveform, onAddMarker }: PlayerToolsProps) {
  const { t } = useLingui();
  return (
    <div className={styles.tools}>
      <div className={styles.toolGroup}><SpeedSelect /><Volume /></div>
      <div className={styles.toolGroup}>
        {onAddMarker && <IconButton label={t`Add marker`} shortcut="N" icon={<Flag />} onPress={onAddMarker} />}
        <CopyMoment recordingId={recordingId} />
        <ZoomButtons waveform={waveform} />
      </div>
    </div>
  );
}
