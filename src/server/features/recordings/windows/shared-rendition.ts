import type { Transaction } from 'kysely';
import { z } from 'zod';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import { awaitedPriority, type JobHandler, type JobQueue } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { RecordingRow, Schema } from '#server/storage/database/schema.ts';
import type { ShareRenditionRow } from '#server/storage/database/share-tables.ts';
import { countDerivedBytes } from '#server/storage/rows/derived-bytes.ts';
import type { StoredSegment, StoredSegments } from '#server/features/uploads/stored-segments.ts';
import { oggFileOf } from '#server/features/recordings/media/ogg-segment.ts';
import { remuxedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { matchesWaveform } from './matches-waveform.ts';
import { measuredWaveform } from './window-peaks-of.ts';
import type { RemuxedSegment, SegmentTask } from '#server/features/recordings/remux/segment-remuxer.ts';

const renditionJob = 'make-shared-rendition';
const payloadSchema = z.object({ recordingId: z.string() });
/** From this attempt on the rendition is shown as failed. */
const attemptsUntilShown = 3;

const sharedColumns = [
  'id',
  'owner_id',
  'source',
  'state',
  'codec',
  'channels',
  'finished_at',
  'duration_ms',
] as const;
type SharedRow = Pick<RecordingRow, (typeof sharedColumns)[number]>;

export interface SharedRenditionDeps {
  database: Database;
  blobs: BlobStore;
  queue: JobQueue;
  storedSegments: StoredSegments;
  findFfmpeg: () => Promise<string | null>;
  /** Stops at the disk reserve. */
  remux: (task: SegmentTask) => Promise<RemuxedSegment>;
}

/**
 * What links play of a recording. `own`: its own sound, which can be cut. `waiting`, `ready`, `failed`: an audio-only
 * rendition. `missing`: the rendition has not been requested. `impossible`: it needs ffmpeg, which is not installed.
 */
export type SharedSoundState = 'own' | 'waiting' | 'ready' | 'failed' | 'missing' | 'impossible';

/**
 * The sound that links play. An imported file may contain tags, pictures, a place or a video, so a link never plays
 * it but an Ogg/Opus rendition of its sound alone.
 */
export interface SharedRenditions {
  stateOf(recordingId: string): Promise<SharedSoundState>;
  /** The state with the segments that links play: of an import its rendition in place of its file, if it is ready. */
  soundOf(recording: SharedRow): Promise<{ state: SharedSoundState; segments: StoredSegment[] }>;
  /** Requests the rendition of a recording whose state is `missing` or `failed`. */
  request(transaction: Transaction<Schema>, recordingId: string): Promise<void>;
  jobs: JobHandler[];
}

const isReadyImport = ({ source, state }: SharedRow): boolean => source === 'import' && state === 'ready';

/** The file that the owner plays, as a segment of its own, or null if it is Ogg/Opus that can be cut. */
function playedFile(segments: readonly StoredSegment[]): StoredSegment | null {
  const file = segments.find(({ stream }) => stream === 'audio');
  if (file === undefined || oggFileOf(file) !== null) return null;
  if (file.remuxedBytes === null || file.remuxedContainer === null) return file;
  return {
    ...file,
    blobKey: remuxedKeyOf(file.blobKey, file.remuxedContainer),
    sizeBytes: file.remuxedBytes,
    remuxedBytes: null,
    remuxedContainer: null,
  };
}

const demuxers: Readonly<Record<string, string>> = { mp4: 'mov', webm: 'matroska', wav: 'wav' };

/** ffmpeg's name for the container of the played file, if known. */
function demuxerOf(segments: readonly StoredSegment[]): { demuxer?: string } {
  const container = segments.find(({ stream }) => stream === 'audio')?.remuxedContainer;
  const demuxer = demuxers[container ?? ''];
  return demuxer === undefined ? {} : { demuxer };
}

const find = (queries: Queries, recordingId: string): Promise<ShareRenditionRow | undefined> =>
  queries
    .selectFrom('share_renditions')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .executeTakeFirst();

/**
 * Stores the result, and counts its size with the recording's.
 * @returns false if the recording was deleted, or its file judged again, in the meantime
 */
async function store(
  database: Database,
  row: SharedRow,
  { state, sizeBytes }: { state: 'ready' | 'failed'; sizeBytes: number },
): Promise<boolean> {
  return database.transaction((transaction) =>
    countDerivedBytes(transaction, row.id, async () => {
      const { numUpdatedRows } = await transaction
        .updateTable('share_renditions')
        .set({ state, size_bytes: sizeBytes })
        .where('recording_id', '=', row.id)
        .where('made_from', '=', row.finished_at ?? 0)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),
  );
}

/**
 * Makes the sound of the played file, with all the sound of its waveform if this server measured it. Returns its size,
 * 0 if there is none.
 */
async function makeSound(
  { remux, blobs, findFfmpeg }: Pick<SharedRenditionDeps, 'remux' | 'blobs' | 'findFfmpeg'>,
  row: SharedRow,
  {
    segments,
    file,
    signal,
  }: { segments: readonly StoredSegment[]; file: StoredSegment; signal: AbortSignal },
): Promise<number> {
  const chosen = { track: 0, latestMs: row.duration_ms, ...demuxerOf(segments) };
  const [waveform, program] = await Promise.all([measuredWaveform(blobs, row, segments), findFfmpeg()]);
  const checked: Pick<SegmentTask, 'accepts'> =
    waveform === null || program === null
      ? {}
      : {
          accepts: (made) =>
            matchesWaveform(
              { blobs, program },
              { made, waveform, channels: row.channels === 1 ? 1 : 2, durationMs: row.duration_ms },
              signal,
            ),
        };
  // The packets themselves if they are Opus, so that nothing is lost by another encoding.
  for (const make of row.codec === 'opus' && row.channels <= 2
    ? (['ogg', 'ogg-by-decoding'] as const)
    : (['ogg-by-decoding'] as const)) {
    const { remuxedBytes } = await remux({
      segment: file,
      make,
      wantsPeaks: false,
      signal,
      chosen,
      ...checked,
    });
    if (remuxedBytes !== null && remuxedBytes > 0) return remuxedBytes;
  }
  return 0;
}

/** Creates the renditions that links play. */
export function createSharedRenditions(deps: SharedRenditionDeps): SharedRenditions {
  const { database, blobs, storedSegments, queue, findFfmpeg } = deps;

  const read = (queries: Queries, id: string): Promise<SharedRow | undefined> =>
    queries.selectFrom('recordings').select(sharedColumns).where('id', '=', id).executeTakeFirst();

  async function make(recordingId: string, signal: AbortSignal): Promise<void> {
    const row = await read(database.queries, recordingId);
    const rendition = await find(database.queries, recordingId);
    if (row === undefined || rendition?.state !== 'waiting' || rendition.made_from !== (row.finished_at ?? 0))
      return;
    const segments = await storedSegments(recordingId);
    const file = playedFile(segments);
    if (file === null) return;
    const sizeBytes = await makeSound(deps, row, { segments, file, signal });
    const isStored = await store(database, row, { state: sizeBytes > 0 ? 'ready' : 'failed', sizeBytes });
    // Purging deletes the files that a recording has then, and this one may be newer.
    if (!isStored && (await read(database.queries, recordingId)) === undefined)
      await blobs.remove(remuxedKeyOf(file.blobKey));
  }

  async function request(transaction: Transaction<Schema>, recordingId: string): Promise<void> {
    const row = await read(transaction, recordingId);
    if (row === undefined || !isReadyImport(row)) return;
    const made = { state: 'waiting' as const, made_from: row.finished_at ?? 0, size_bytes: 0 };
    const known = await find(transaction, recordingId);
    if (known !== undefined && known.made_from === made.made_from && known.state !== 'failed') return;
    await countDerivedBytes(transaction, recordingId, () =>
      transaction
        .insertInto('share_renditions')
        .values({ recording_id: recordingId, ...made })
        .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(made))
        .execute(),
    );
    await queue.enqueue(transaction, {
      kind: renditionJob,
      payload: { recordingId },
      userId: row.owner_id,
      dedupeKey: `${recordingId} ${made.made_from}`,
      priority: awaitedPriority,
    });
    queue.wake();
  }

  async function soundOf(row: SharedRow): Promise<{ state: SharedSoundState; segments: StoredSegment[] }> {
    const segments = await storedSegments(row.id);
    const file = isReadyImport(row) ? playedFile(segments) : null;
    if (file === null) return { state: 'own', segments };
    const rendition = await find(database.queries, row.id);
    const isCurrent = rendition?.made_from === (row.finished_at ?? 0);
    if (isCurrent && rendition.state !== 'waiting') {
      const made = {
        ...file,
        remuxedBytes: rendition.size_bytes,
        remuxedContainer: 'ogg' as const,
        packetSamples: null,
      };
      const withMade = segments.map((segment) => (segment.uploadId === file.uploadId ? made : segment));
      return { state: rendition.state, segments: rendition.state === 'ready' ? withMade : segments };
    }
    if ((await findFfmpeg()) === null) return { state: 'impossible', segments };
    return { state: isCurrent ? 'waiting' : 'missing', segments };
  }

  return {
    async stateOf(recordingId) {
      const row = await read(database.queries, recordingId);
      return row === undefined ? 'own' : (await soundOf(row)).state;
    },
    soundOf,
    request,
    jobs: [
      {
        kind: renditionJob,
        lane: 'long',
        async onSetAside(payload) {
          const row = await read(database.queries, payloadSchema.parse(payload).recordingId);
          if (row !== undefined) await store(database, row, { state: 'failed', sizeBytes: 0 });
        },
        async run({ payload, attempts }, { signal }) {
          const { recordingId } = payloadSchema.parse(payload);
          try {
            await make(recordingId, signal);
          } catch (error) {
            const row = await read(database.queries, recordingId);
            if (attempts >= attemptsUntilShown && row !== undefined && !isStorageOutage(error))
              await store(database, row, { state: 'failed', sizeBytes: 0 });
            throw error;
          }
        },
      },
    ],
  };
}
