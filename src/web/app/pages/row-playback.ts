import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { second } from '#base/duration.ts';
import type { LibraryScreenProps } from '#web/features/library/screen/library-screen.tsx';
import type { LibraryItem } from '#web/features/library/list/library-items.ts';
import type { QueuePlace } from '#web/features/library/list/row-play.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { storedPositions } from '#web/features/player/playback/playback-positions.ts';
import { recorder, takeClock } from '#web/features/recorder/recorder.ts';
import { takeOf } from '#web/features/recorder/take/take.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';

const loadQueue = async () => {
  const [queue, { openLocalRecording }] = await Promise.all([
    import('#web/features/player/playback/queue-player.ts'),
    import('./open-local-recording.ts'),
  ]);
  queue.playFromDevice(openLocalRecording);
  return queue;
};
const showError = () => {
  showFailure(() => i18n._(msg`Something went wrong. Try again.`));
};
const playingId = (): string | null => {
  const { track, status } = player.getSnapshot();
  return status === 'playing' || status === 'waiting' ? (track?.id ?? null) : null;
};

/** A recording of the library or of the trash. */
type PlayableRow = Pick<LibraryItem, 'id' | 'title' | 'recordedTime' | 'durationMs' | 'isOnServer'>;

const queuedOf = (row: PlayableRow) => ({
  id: row.id,
  title: titleText(row),
  // The player then uses the length of the audio element.
  durationMs: row.durationMs ?? 0,
  isOnServer: row.isOnServer,
});

/**
 * Connects the rows of library and trash with the page's player. The queue is loaded with the first recording that is played.
 */
export const rowPlayback = {
  onPlay: (row: PlayableRow) => {
    void loadQueue()
      .then(({ playNow }) => playNow(queuedOf(row)))
      .catch(showError);
  },
  onQueue: (row: PlayableRow, place: QueuePlace) => {
    void loadQueue()
      .then(({ enqueue }) => enqueue(queuedOf(row), place))
      .catch(showError);
  },
  playing: { subscribe: player.subscribe, getSnapshot: playingId },
  running: {
    subscribe: takeClock.subscribe,
    msOf: (recordingId: string) =>
      takeOf(recorder.getSnapshot())?.id === recordingId
        ? Math.floor(takeClock.getSnapshot() / second) * second
        : null,
  },
  playedMs: (recordingId: string) => storedPositions.read(recordingId)?.positionMs ?? null,
} satisfies LibraryScreenProps['playback'];
