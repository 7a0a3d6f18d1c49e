import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import { limits } from '#contract/limits.ts';
import type { createUploadSchema, Receipt, UploadState } from '#contract/uploads-api.ts';
import type { UploadPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import { rateLimited } from '#server/http/rate-limited.ts';
import {
  BlobFencedError,
  BlobMissingError,
  BlobOffsetError,
  BlobSpaceError,
  type BlobStore,
  sealedEpoch,
} from '#server/storage/blobs/blob-store.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { Seal, UploadEntry } from './upload-entry.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { AppendAdmission } from '#server/features/usage/admit-append.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { UploadRegister } from './upload-register.ts';
import { isNoAudio, judgedBytes } from './no-audio.ts';
import type { UploadsStore } from './uploads-store.ts';

export interface UploadsDeps {
  access: Pick<RecordingAccess, 'rejectOtherRecording'>;
  store: UploadsStore;
  register: UploadRegister;
  blobs: BlobStore;
  clock: Clock;
  /** Reserves space for bytes before they are written. */
  admission: AppendAdmission;
  /** Called after bytes have become durable. */
  onAppended: (append: { recordingId: string; ownerId: string; isTake: boolean; sizeBytes: number }) => void;
  /** Called before the receipt of a sealed upload is sent, again for each repeated request. */
  onSealed: (upload: SealedUpload) => Promise<void>;
}

/** An upload that receives no more bytes. */
export type SealedUpload = Pick<
  UploadEntry,
  'recordingId' | 'ownerId' | 'stream' | 'container' | 'index' | 'sizeBytes' | 'recordingState'
>;

/** How long a device should wait before it opens another upload of a take with very many open ones. */
const crowdedForMs = 5 * second;

interface Piece {
  offsetBytes: number;
  epoch: number;
  digestBase64: string;
  bytes: Uint8Array;
}
interface Completion {
  lengthBytes: number;
  sha256: string;
  epoch: number;
}

export interface UploadsService {
  create(
    bearer: UploadPrincipal,
    uploadId: string,
    wanted: z.output<typeof createUploadSchema>,
  ): Promise<{ created: boolean; state: UploadState }>;
  append(bearer: UploadPrincipal, uploadId: string, piece: Piece): Promise<UploadState>;
  /** The state of an upload, with the base64 SHA-256 of its stored bytes. */
  state(bearer: UploadPrincipal, uploadId: string): Promise<UploadState & { digestBase64: string }>;
  complete(bearer: UploadPrincipal, uploadId: string, completion: Completion): Promise<Receipt>;
}

const stateOf = (entry: UploadEntry): UploadState => ({
  offset: entry.sizeBytes,
  complete: entry.seal !== null,
  epoch: entry.epoch,
});
const digestOf = ({ seal, hash }: UploadEntry): string =>
  (seal === null ? hash.digest() : Buffer.from(seal.sha256, 'hex')).toString('base64');
const offsetMismatch = (offset: number): ProblemError =>
  new ProblemError('offset-mismatch', { headers: { 'Upload-Offset': String(offset) } });
const receiptOf = (entry: UploadEntry, seal: Seal): Receipt => ({
  uploadId: entry.id,
  lengthBytes: seal.lengthBytes,
  sha256: seal.sha256,
  storedAt: instantOf(seal.atMs),
});

const superseded = (epoch: number): ProblemError =>
  new ProblemError('writer-superseded', { headers: { 'Upload-Epoch': String(epoch) } });

/** Runs a change of the blob. A refusal of the store is a problem of the request. */
async function change<T>(deps: UploadsDeps, entry: UploadEntry, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // After any failure the entry may no longer match the blob, so the blob is examined again before the next
    // byte.
    deps.register.forget(entry.id);
    // The upload was lost or deleted since its entry was read. Its device creates it again, or learns why it may not.
    if (error instanceof BlobMissingError) throw new ProblemError('not-found');
    if (error instanceof BlobOffsetError) throw offsetMismatch(error.sizeBytes);
    if (error instanceof BlobFencedError)
      throw error.epoch === sealedEpoch ? new ProblemError('already-finished') : superseded(error.epoch);
    if (error instanceof BlobSpaceError) throw new ProblemError('storage-full', { cause: error });
    throw error;
  }
}

/**
 * A higher writer epoch takes the upload over.
 * @throws writer-superseded (409) for a lower epoch
 */
async function takeEpoch(deps: UploadsDeps, entry: UploadEntry, epoch: number): Promise<void> {
  if (epoch < entry.epoch) throw superseded(entry.epoch);
  if (epoch === entry.epoch) return;
  await deps.store.setEpoch(entry.id, epoch);
  if (entry.seal === null) await change(deps, entry, () => deps.blobs.fence(entry.key, epoch));
  entry.epoch = epoch;
}

async function store(deps: UploadsDeps, entry: UploadEntry, piece: Piece): Promise<void> {
  const hash = entry.hash.after(piece.bytes);
  entry.sizeBytes = await change(deps, entry, () =>
    deps.blobs.append(entry.key, {
      offsetBytes: entry.sizeBytes,
      bytes: piece.bytes,
      epoch: entry.epoch,
      note: hash.state,
    }),
  );
  entry.hash = hash;
}

/**
 * Judges the sound of a take once, when its first bytes are complete.
 * @throws unreadable-audio (422) if they are no audio: the upload receives no more bytes
 */
async function rejectNoAudio(deps: UploadsDeps, entry: UploadEntry, { bytes }: Piece): Promise<void> {
  const { sizeBytes, key, stream, allowance } = entry;
  if (!allowance.isTake || stream !== 'audio') return;
  if (sizeBytes >= judgedBytes || sizeBytes + bytes.length < judgedBytes) return;
  const stored =
    sizeBytes === 0
      ? new Uint8Array()
      : await change(deps, entry, () => deps.blobs.read(key, { startByte: 0, endByteExclusive: sizeBytes }));
  if (isNoAudio(Buffer.concat([stored, bytes.subarray(0, judgedBytes - sizeBytes)])))
    throw new ProblemError('unreadable-audio', {
      errors: [{ pointer: '', code: 'unreadable-audio', params: { reason: 'not-audio' } }],
    });
}

/** Whether an append continues exactly what the entry says. */
const isReadyFor = (entry: UploadEntry, { offsetBytes, epoch }: Piece): boolean =>
  entry.seal === null &&
  entry.epoch === epoch &&
  entry.sizeBytes === offsetBytes &&
  isUnfinished({ state: entry.recordingState });

async function append(deps: UploadsDeps, entry: UploadEntry, piece: Piece): Promise<UploadState> {
  await takeEpoch(deps, entry, piece.epoch);
  if (entry.seal !== null || !isUnfinished({ state: entry.recordingState }))
    throw new ProblemError('already-finished');
  if (piece.offsetBytes !== entry.sizeBytes) throw offsetMismatch(entry.sizeBytes);
  if (createHash('sha256').update(piece.bytes).digest('base64') !== piece.digestBase64)
    throw new ProblemError('checksum-mismatch');
  if (entry.maxBytes !== null && entry.sizeBytes + piece.bytes.length > entry.maxBytes)
    throw new ProblemError('too-large');
  if (piece.bytes.length === 0) return stateOf(entry);
  await rejectNoAudio(deps, entry, piece);
  const { release } = await deps.admission.admit({
    ...entry.allowance,
    ownerId: entry.ownerId,
    recordingId: entry.recordingId,
    sizeBytes: piece.bytes.length,
  });
  await store(deps, entry, piece).catch((error: unknown) => {
    release();
    throw error;
  });
  if (entry.recordingState === 'abandoned') {
    await deps.store.resume(entry.recordingId, deps.clock.nowMs());
    entry.recordingState = 'receiving';
  }
  const { recordingId, ownerId, allowance } = entry;
  deps.onAppended({ recordingId, ownerId, isTake: allowance.isTake, sizeBytes: piece.bytes.length });
  return stateOf(entry);
}

async function complete(
  deps: UploadsDeps,
  entry: UploadEntry,
  { lengthBytes, sha256, epoch }: Completion,
): Promise<Receipt> {
  if (entry.seal === null) await takeEpoch(deps, entry, epoch);
  if (lengthBytes !== entry.sizeBytes) throw offsetMismatch(entry.sizeBytes);
  // A receipt's cost does not grow with the length of the take.
  const stored = entry.seal?.sha256 ?? entry.hash.digest().toString('hex');
  if (stored !== sha256) throw new ProblemError('checksum-mismatch');
  if (entry.seal === null) {
    const seal = { lengthBytes, sha256, atMs: deps.clock.nowMs() };
    const fence = () =>
      change(deps, entry, () => deps.blobs.fence(entry.key, sealedEpoch, { sizeBytes: lengthBytes }));
    // Once the receipt is stored, no other process may add a byte.
    await fence();
    if (!(await deps.store.seal(entry.id, seal))) {
      deps.register.forget(entry.id);
      throw new ProblemError('not-found');
    }
    // PostgreSQL may have been replaced by a standby in between, whose blob lacks the last bytes and the fence.
    if (deps.blobs.hasOtherWriters)
      await fence().catch(async (error: unknown) => {
        await deps.store.unseal(entry.id, seal);
        throw error;
      });
    entry.seal = seal;
  }
  await deps.onSealed(entry);
  return receiptOf(entry, entry.seal);
}

/** An import is a single original file, which a take never is. */
function rejectOtherKind(
  source: 'microphone' | 'import',
  { stream, container, segmentIndex, startMs }: z.output<typeof createUploadSchema>,
): void {
  if (source === 'import' && segmentIndex > 0)
    throw rejectField('/segmentIndex', 'too-large', { largest: 0 });
  if (source === 'import' && startMs > 0) throw rejectField('/startMs', 'too-large', { largest: 0 });
  if (stream === 'audio' && (source === 'import') !== (container === 'original'))
    throw rejectField('/container', 'not-allowed', {
      allowed: source === 'import' ? 'original' : 'ogg, webm, mp4',
    });
}

async function insert(
  deps: UploadsDeps,
  { uploadId, deviceLabel }: { uploadId: string; deviceLabel: string },
  wanted: z.output<typeof createUploadSchema>,
): Promise<UploadState> {
  const { recordingId, stream, segmentIndex: index, container, startMs, epoch } = wanted;
  const recording = await deps.store.recordingOf(recordingId);
  if (!recording) throw new ProblemError('upload-token-invalid');
  if (!isUnfinished(recording)) throw new ProblemError('already-finished');
  if (startMs > limits.maxTakeMs) throw rejectField('/startMs', 'too-large', { largest: limits.maxTakeMs });
  rejectOtherKind(recording.source, wanted);
  if (await deps.store.findBySegment({ recordingId, stream, index }))
    throw rejectField('/segmentIndex', 'taken');
  await deps.blobs.create(blobKeyOf({ recordingId, stream, index }));
  const outcome = await deps.store.insert(
    {
      id: uploadId,
      recording_id: recordingId,
      stream,
      segment_index: index,
      start_ms: startMs,
      epoch,
      container: stream === 'audio' ? container : 'ogg',
      size_bytes: null,
      sha256: null,
      sealed_at: null,
      verified_at: null,
      damaged_at: null,
      remuxed_bytes: null,
      remuxed_container: null,
      packet_samples: null,
      created_at: deps.clock.nowMs(),
    },
    deviceLabel,
  );
  if (outcome.result === 'superseded') throw superseded(outcome.epoch);
  if (outcome.result === 'finished') throw new ProblemError('already-finished');
  // The device retries, and seals other uploads in the meantime.
  if (outcome.result === 'crowded') throw rateLimited(crowdedForMs);
  if (outcome.result === 'taken') throw rejectField('/segmentIndex', 'taken');
  return { offset: 0, complete: false, epoch };
}

/** The upload protocol: who may write what, and where. Responses are sent only after the bytes are durable. */
export function createUploadsService(deps: UploadsDeps): UploadsService {
  /**
   * Checks that a capability may write to an upload.
   * @throws not-found (404), or forbidden (403) if the upload is of another recording
   */
  function allowed(entry: UploadEntry | null, bearer: UploadPrincipal): UploadEntry {
    if (entry === null) throw new ProblemError('not-found');
    deps.access.rejectOtherRecording(bearer, entry.recordingId);
    return entry;
  }

  const withUpload = <T>(
    bearer: UploadPrincipal,
    { uploadId, agrees }: { uploadId: string; agrees?: (entry: UploadEntry) => boolean },
    work: (entry: UploadEntry) => Promise<T>,
  ): Promise<T> => deps.register.withEntry(uploadId, (entry) => work(allowed(entry, bearer)), agrees);

  return {
    create: (bearer, uploadId, wanted) =>
      deps.register.withEntry(uploadId, async (found) => {
        deps.access.rejectOtherRecording(bearer, wanted.recordingId);
        if (found === null) {
          const { deviceLabel } = bearer;
          return { created: true, state: await insert(deps, { uploadId, deviceLabel }, wanted) };
        }
        const entry = allowed(found, bearer);
        if (entry.stream !== wanted.stream || entry.index !== wanted.segmentIndex)
          throw rejectField('/segmentIndex', 'taken');
        if (entry.seal === null) await takeEpoch(deps, entry, wanted.epoch);
        return { created: false, state: stateOf(entry) };
      }),
    append: (bearer, uploadId, piece) =>
      withUpload(bearer, { uploadId, agrees: (entry) => isReadyFor(entry, piece) }, (entry) =>
        append(deps, entry, piece),
      ),
    state: (bearer, uploadId) =>
      withUpload(bearer, { uploadId }, async (entry) => ({
        ...stateOf(entry),
        digestBase64: digestOf(entry),
      })),
    complete: (bearer, uploadId, completion) =>
      withUpload(bearer, { uploadId }, (entry) => complete(deps, entry, completion)),
  };
}
