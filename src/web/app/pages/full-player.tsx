import { Suspense } from 'react';
import { LocalNotes } from '#web/features/player/notes/local-notes.tsx';
import { RecordingNotes } from '#web/features/player/notes/recording-notes.tsx';
import { RecordingPlayer, type RecordingPlayerProps } from '#web/features/player/screen/recording-player.tsx';
import { isGrowing } from '#web/features/player/playable-recording.ts';
import type { SharedSpan } from '#web/features/sharing/terms/share-form.ts';
import { useStar } from '#web/recordings/favourites/use-star.ts';
import { SharedSign } from '#web/features/sharing/signs/shared-sign.tsx';
import { openShareSheet } from '#web/features/sharing/signs/open-sheet.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { useContinueRecording } from './use-continue-recording.ts';

export interface FullPlayerProps extends Pick<RecordingPlayerProps, 'recording' | 'actions'> {
  isOnServer: boolean;
  isTrashed: boolean;
}

const transcripts = lazyChunk(() => import('#web/features/player/transcript/transcript-panel.tsx'));
const TranscriptPanel = transcripts.component((chunk) => chunk.TranscriptPanel);

/** The player, with notes and actions of its recording. */
export function FullPlayer({ recording, actions, isOnServer, isTrashed }: FullPlayerProps) {
  const continueRecording = useContinueRecording(recording);
  const star = useStar(recording);
  const notes = isOnServer ? (
    <RecordingNotes recordingId={recording.id} durationMs={recording.durationMs} isEditable={!isTrashed} />
  ) : (
    <LocalNotes notesHere={recording.notesHere} />
  );
  const share = (span: SharedSpan | null) =>
    openShareSheet({
      recordingId: recording.id,
      title: titleText(recording),
      durationMs: isGrowing(recording) ? null : recording.durationMs,
      isGrowing: isGrowing(recording),
      span,
    });
  const offered = isTrashed
    ? actions
    : {
        ...actions,
        ...(continueRecording ? { continueRecording } : {}),
        ...(isOnServer ? { toggleFavourite: star.toggle, share } : {}),
      };
  return (
    <RecordingPlayer
      recording={recording}
      actions={offered}
      notes={notes}
      transcript={
        isOnServer &&
        !isGrowing(recording) && (
          <Suspense>
            <TranscriptPanel recording={recording} isEditable={!isTrashed} />
          </Suspense>
        )
      }
      sharedSign={
        isOnServer && (
          <SharedSign
            recordingId={recording.id}
            growingMs={isGrowing(recording) ? recording.durationMs : null}
          />
        )
      }
    />
  );
}
