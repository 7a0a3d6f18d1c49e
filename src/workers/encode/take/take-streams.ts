import type { TakeProgress } from '../messages.ts';
import type { OpenSegment, OpenTake } from './open-take.ts';
import type { TakeMarkers } from './take-markers.ts';
import type { UploadSource } from '../upload/stream-upload.ts';
import { TakeUpload } from '../upload/take-upload.ts';
import type { UploadAccess, UploadSurroundings } from '../upload/upload-access.ts';

export interface UploadedTake {
  take: OpenTake;
  markers: TakeMarkers;
  isStopped: () => boolean;
}

/** The upload of an open take: two streams per segment, audio then peaks, and its markers. */
export function uploadOf({ take, markers, isStopped }: UploadedTake, access: UploadAccess, surroundings: UploadSurroundings): TakeUpload {
  const { kept } = take;
  const recordingId = kept.record.id;
  const parts = {
    sources: take.segments.flatMap((segment) => [
      sourceOf({ recordingId, segment, stream: 'audio', isStopped }),
      sourceOf({ recordingId, segment, stream: 'peaks', isStopped }),
    ]),
    markers: {
      recordingId,
      next: () => markers.nextToSend(isStopped()),
      setSent: (markerId: string) => markers.setSent(markerId),
      isSealed: isStopped,
    },
    finishing: () => {
      const { durationMs, gaps, pauses } = kept.record;
      return { durationMs, segmentCount: take.segments.length, gaps, pauses };
    },
  };
  return new TakeUpload(parts, access, surroundings);
}

/** How far the sound has come: into the worker, onto this device's disk, onto the server's. */
export function progressOf(take: OpenTake, upload: TakeUpload, capturedMs: number): TakeProgress {
  const deviceMs = Math.min(capturedMs, heldMs(take.segments, ({ audio }) => audio.flushedBytes));
  const serverMs = heldMs(take.segments, (_, index) => upload.streams[index * 2]?.offsetBytes ?? 0);
  return { capturedMs, deviceMs, serverMs: Math.min(deviceMs, serverMs) };
}

/** The unbroken run of sound from the start, when each segment is held up to so many bytes. */
function heldMs(segments: readonly OpenSegment[], heldBytes: (segment: OpenSegment, index: number) => number): number {
  const broken = segments.findIndex((segment, index) => heldBytes(segment, index) < segment.audio.sizeBytes);
  const index = broken === -1 ? segments.length - 1 : broken;
  const last = segments[index];
  return last === undefined ? 0 : last.segment.startMs + last.positions.msAt(heldBytes(last, index));
}

function sourceOf(part: { recordingId: string; segment: OpenSegment; stream: 'audio' | 'peaks'; isStopped: () => boolean }): UploadSource {
  const { segment: { segment, audio, peaks }, stream } = part;
  const journal = stream === 'audio' ? audio : peaks;
  return {
    uploadId: stream === 'audio' ? segment.audioUploadId : segment.peaksUploadId,
    creation: { recordingId: part.recordingId, stream, segmentIndex: segment.index, startMs: segment.startMs, epoch: segment.epoch },
    // Only what is flushed here is sent, so that the server's copy is never ahead of this one after a power cut.
    sizeBytes: () => journal.flushedBytes,
    isSealed: part.isStopped,
    read: (offsetBytes, sizeBytes) => journal.read(offsetBytes, sizeBytes),
  };
}
