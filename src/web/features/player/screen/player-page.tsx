import type { ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { titleText } from '#web/recordings/time/title-text.ts';
import { DocumentTitle } from '#web/ui/text/document-title.tsx';
import { stopPlaying } from '#web/features/player/playback/open-recording.ts';
import type { PlayableActions, PlayableRecording } from '#web/features/player/playable-recording.ts';
import { FactsLine } from './facts-line.tsx';
import { TitleLine } from './title-line.tsx';
import styles from './screen.module.css';

export interface PlayerPageProps {
  recording: PlayableRecording;
  actions: PlayableActions;
  /** Shown with the facts: whether others can listen. */
  sharedSign?: ReactNode;
  children: ReactNode;
}

/** The title, facts and actions of a recording, with everything else below. */
export function PlayerScreen({
  recording,
  actions: { rename, moveToTrash, continueRecording, toggleFavourite, share },
  sharedSign,
  children,
}: PlayerPageProps) {
  const { t } = useLingui();
  const { id } = recording;
  return (
    <article aria-label={t`Recording`} className={styles.player}>
      <DocumentTitle>{titleText(recording)}</DocumentTitle>
      <TitleLine
        recording={recording}
        facts={<FactsLine recording={recording} sharedSign={sharedSign} />}
        isStarrable={toggleFavourite !== undefined}
        download={{ recording }}
        onRename={rename}
        onShare={share && (() => share(null))}
        onContinueRecording={
          continueRecording &&
          (() => {
            stopPlaying(id);
            continueRecording();
          })
        }
        onMoveToTrash={
          moveToTrash &&
          (() => {
            stopPlaying(id);
            moveToTrash();
          })
        }
      />
      {children}
    </article>
  );
}
