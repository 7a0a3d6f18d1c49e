import type { TakeMarker, TakeNote, TakePassage } from '#device/records/take-record.ts';
import type { TakeProgress } from '#workers/take/messages.ts';
import type { TakeLabelsWriter } from '#workers/take/labels/take-labels.ts';
import type { TextOnServer } from '#device/sync/sent-texts.ts';
import type { OpenSegment } from '#workers/take/segments/create-segment.ts';
import type { UploadSource } from '#workers/upload/stream-upload.ts';
import { statedSilence } from '#workers/upload/stated-silence.ts';
import { TakeUpload } from '#workers/take/upload/take-upload.ts';
import type { UploadAccess, UploadDeps } from '#workers/upload/upload-access.ts';
import type { UploadClient } from '#workers/upload/upload-client.ts';
import type { Passage } from '#contract/passages-api.ts';
import type { OpenTake } from './open-take.ts';

interface UploadedTake {
  take: OpenTake;
  labels: TakeLabelsWriter;
  isStopped: () => boolean;
}

/** The upload of an open take: two streams per segment, audio then peaks, and its markers, notes, passages and gaps. */
export function uploadOf(
  { take, labels, isStopped }: UploadedTake,
  access: UploadAccess,
  deps: UploadDeps,
): TakeUpload {
  const { recordWriter, segments } = take;
  const { markers, notes, passages } = labels;
  const recordingId = recordWriter.record.id;
  const parts = {
    recordingId,
    sources: segments.flatMap((segment) => sourcesOf(recordingId, segment)),
    markers: {
      next: () => markers.nextToSend(isStopped()),
      send: (client: UploadClient, marker: TakeMarker) => {
        const { id, atMs, label } = marker;
        return markers.send(marker, () => client.addMarker(recordingId, { id, atMs, label }));
      },
      setSent: (marker: TakeMarker, answer: TextOnServer | 'rejected') => markers.setSent(marker, answer),
      sendAgain: () => {
        markers.sendAgain();
      },
      isSealed: isStopped,
    },
    notes: {
      next: () => notes.nextToSend(isStopped()),
      send: (client: UploadClient, note: TakeNote) => {
        const { id, atMs, text } = note;
        return notes.send(note, () => client.addNote(recordingId, { id, fromMs: atMs, text }));
      },
      setSent: (note: TakeNote, answer: TextOnServer | 'rejected') => notes.setSent(note, answer),
      sendAgain: () => {
        notes.sendAgain();
      },
      isSealed: isStopped,
    },
    passages: {
      next: () => passages.nextToSend(),
      areStartsStored: () => passages.areStartsStored,
      send: (client: UploadClient, { id, atMs, toMs }: TakePassage) =>
        client.putPassage(recordingId, id, { atMs, toMs }),
      setSent: ({ id }: TakePassage, answer: Passage | 'rejected') => {
        const saved = passages.setStored(id, answer);
        labels.postPassages();
        return saved;
      },
      sendAgain: () => {
        const saved = passages.sendAgain();
        labels.postPassages();
        return saved;
      },
      isSealed: isStopped,
      isRejectedOnceFinished: true,
    },
    gaps: { recordingId, current: () => recordWriter.record.gaps, isSealed: isStopped },
    goesOn: recordWriter.record.goesOn === true,
    reopened: () => recordWriter.change({ goesOn: false }),
    finishing: () => {
      const { durationMs, gaps, pauses, microphoneSilenceMs } = recordWriter.record;
      // The server measures the files.
      return {
        durationMs,
        segmentCount: segments.length,
        gaps,
        pauses,
        ...statedSilence(microphoneSilenceMs),
      };
    },
  };
  return new TakeUpload(parts, access, deps);
}

/** The length of the sound in the worker, on this device's disk, and on the server's disk. */
export function progressOf({ segments }: OpenTake, upload: TakeUpload, capturedMs: number): TakeProgress {
  const flushedMs = heldMs(segments, ({ audio }) => audio.flushedBytes);
  const serverMs = Math.min(
    capturedMs,
    heldMs(segments, (_, index) => upload.streams[index * 2]?.offsetBytes ?? 0),
  );
  // On a full device the server is ahead of the disk, and what it has is durable as well.
  return { capturedMs, deviceMs: Math.max(serverMs, Math.min(capturedMs, flushedMs)), serverMs };
}

/** The two streams of a segment in upload order: audio, then peaks. */
export function sourcesOf(
  recordingId: string,
  opened: OpenSegment,
): [audio: UploadSource, peaks: UploadSource] {
  return [sourceOf(recordingId, opened, 'audio'), sourceOf(recordingId, opened, 'peaks')];
}

/** The unbroken length of sound from the start, given how many bytes of each segment are stored. */
function heldMs(
  segments: readonly OpenSegment[],
  heldBytes: (segment: OpenSegment, index: number) => number,
): number {
  const broken = segments.findIndex((segment, index) => heldBytes(segment, index) < segment.audio.sizeBytes);
  const index = broken === -1 ? segments.length - 1 : broken;
  const last = segments[index];
  return last === undefined ? 0 : last.segment.startMs + last.positions.msAt(heldBytes(last, index));
}

function sourceOf(recordingId: string, opened: OpenSegment, stream: 'audio' | 'peaks'): UploadSource {
  const {
    segment: { audioUploadId, peaksUploadId, index, startMs, epoch, container },
  } = opened;
  const bytes = opened[stream];
  return {
    uploadId: stream === 'audio' ? audioUploadId : peaksUploadId,
    creation: { recordingId, stream, segmentIndex: index, startMs, epoch, container },
    sizeBytes: () => bytes.sendableBytes,
    isSealed: () => opened.isSealed,
    read: (offsetBytes, sizeBytes) => bytes.read(offsetBytes, sizeBytes),
    acknowledged: (sizeBytes) => bytes.acknowledged(sizeBytes),
  };
}
