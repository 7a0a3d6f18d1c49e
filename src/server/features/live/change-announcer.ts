import { second } from '#base/duration.ts';
import type { LiveHub } from './live-hub.ts';

const growthIntervalMs = 2 * second;

/** Announces changes to open pages. */
export interface ChangeAnnouncer {
  recordingChanged(ownerId: string, recordingId: string): void;
  /** A recording received more bytes. Announced at most every two seconds; the last change is never dropped. */
  recordingGrew(ownerId: string, recordingId: string): void;
  recordingRemoved(ownerId: string, recordingId: string): void;
  markersChanged(ownerId: string, recordingId: string): void;
  /** Tags, saved views, favourites, or many recordings at once have changed. */
  libraryChanged(ownerId: string): void;
  /** The playback position of a recording has changed. */
  positionChanged(ownerId: string, recordingId: string, playerId: string): void;
  notesChanged(ownerId: string, recordingId: string): void;
  /** A transcript has more words, or other ones. Announced at most every two seconds; the last change is never dropped. */
  transcriptChanged(ownerId: string, recordingId: string): void;
  /** Whether or how recordings can be transcribed has changed, for all users. */
  transcriberChanged(): void;
  /** Something of the links to this recording changed, or of any links if it is undefined. */
  sharesChanged(ownerId: string, recordingId?: string): void;
  /** Drops pending announcements. */
  stop(): void;
}

/** Announces changes through the hub. */
export function createChangeAnnouncer(hub: LiveHub): ChangeAnnouncer {
  const waiting = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();
  const changed = (ownerId: string, recordingId: string): void =>
    hub.publish(ownerId, { type: 'recording-changed', recordingId });

  /** Announces a change that comes again and again. */
  function announceOften(
    type: 'recording-changed' | 'transcript-changed',
    of: { ownerId: string; recordingId: string },
  ): void {
    const key = `${type} ${of.recordingId}`;
    const pause = waiting.get(key);
    if (pause) {
      pause.again = true;
      return;
    }
    hub.publish(of.ownerId, { type, recordingId: of.recordingId });
    const timer = setTimeout(() => {
      const { again } = waiting.get(key) ?? { again: false };
      waiting.delete(key);
      if (again) announceOften(type, of);
    }, growthIntervalMs);
    timer.unref();
    waiting.set(key, { timer, again: false });
  }

  return {
    recordingChanged: changed,
    recordingGrew: (ownerId, recordingId) => announceOften('recording-changed', { ownerId, recordingId }),
    transcriptChanged: (ownerId, recordingId) =>
      announceOften('transcript-changed', { ownerId, recordingId }),
    recordingRemoved: (ownerId, recordingId) =>
      hub.publish(ownerId, { type: 'recording-removed', recordingId }),
    markersChanged: (ownerId, recordingId) => hub.publish(ownerId, { type: 'markers-changed', recordingId }),
    libraryChanged: (ownerId) => hub.publish(ownerId, { type: 'library-changed' }),
    positionChanged: (ownerId, recordingId, playerId) =>
      hub.publish(ownerId, { type: 'position-changed', recordingId, playerId }),
    notesChanged: (ownerId, recordingId) => hub.publish(ownerId, { type: 'notes-changed', recordingId }),
    transcriberChanged: () => hub.publishToAll({ type: 'transcriber-changed' }),
    sharesChanged: (ownerId, recordingId) =>
      hub.publish(ownerId, {
        type: 'shares-changed',
        ...(recordingId === undefined ? {} : { recordingId }),
      }),
    stop() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
