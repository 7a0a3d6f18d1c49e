import { useLingui } from '@lingui/react/macro';
import { Pause, Play } from 'lucide-react';
import type { Store } from '#base/store.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import type { Trashed } from './use-trash.ts';

/** The player functions that the trash uses. */
export interface TrashPlayback {
  /** Plays a recording, or pauses it if it is playing. */
  onPlay: (item: Trashed) => void;
  /** Id of the recording that is playing; null if none is. */
  playing: Store<string | null>;
}

interface TrashPlayProps {
  item: Trashed;
  titleId: string;
  playback: TrashPlayback;
}

/** Plays a recording in the trash, so that the user hears what would be restored or permanently deleted. */
export function TrashPlay({ item, titleId, playback: { onPlay, playing } }: TrashPlayProps) {
  const { t } = useLingui();
  const isPlaying = useStore(playing) === item.id;
  return (
    <IconButton
      label={isPlaying ? t`Pause` : t`Play`}
      aria-describedby={titleId}
      icon={isPlaying ? <Pause /> : <Play />}
      onPress={() => onPlay(item)}
    />
  );
}
