import { z } from 'zod';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import type { JobHandler, JobQueue } from '#server/jobs/job-queue.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { ShareRenditionRow } from '#server/storage/database/share-tables.ts';
import type { StoredSegment, StoredSegments } from '#server/features/uploads/stored-segments.ts';
import { oggFileOf, remuxedKeyOf } from '#server/features/recordings/media/ogg-segment.ts';
import type { RemuxedSegment, SegmentTask } from '#server/features/recordings/remux/segment-remuxer.ts';

const renditionJob = 'make-shared-rendition';
const payloadSchema = z.object({ recordingId: z.string() });
/** From this attempt on the rendition is shown as failed. */
const attemptsUntilShown = 3;

const sharedColumns = ['id', 'owner_id', 'source', 'state', 'codec', 'finished_at', 'duration_ms'] as const;
type SharedRow = Pick<RecordingRow, (typeof sharedColumns)[number]>;

export interface SharedRenditionDeps {
  database: Database;
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
  /** Requests the rendition of a recording whose state is `missing` or `failed`. */
  request(queries: Queries, recordingId: string): Promise<void>;
  /** The segments of a recording, of an import with its rendition in place of its file. */
  segments: StoredSegments;
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

/** Stores the result, and counts its size with the recording's. */
async function store(
  database: Database,
  row: SharedRow,
  { state, sizeBytes }: { state: 'ready' | 'failed'; sizeBytes: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction
      .updateTable('share_renditions')
      .set({ state, size_bytes: sizeBytes })
      .where('recording_id', '=', row.id)
      .where('made_from', '=', row.finished_at ?? 0)
      .execute();
    await transaction
      .updateTable('recordings')
      .set(({ eb }) => ({ stored_bytes: eb('stored_bytes', '+', sizeBytes) }))
      .where('id', '=', row.id)
      .execute();
  });
}

/** Creates the renditions that links play. */
export function createSharedRenditions(deps: SharedRenditionDeps): SharedRenditions {
  const { database, storedSegments, queue, findFfmpeg, remux } = deps;

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
    const chosen = { track: 0, latestMs: row.duration_ms, ...demuxerOf(segments) };
    // The packets themselves if they are Opus, so that nothing is lost by another encoding.
    for (const how of row.codec === 'opus'
      ? (['ogg', 'ogg-by-decoding'] as const)
      : (['ogg-by-decoding'] as const)) {
      const { remuxedBytes } = await remux({ segment: file, make: how, wantsPeaks: false, signal, chosen });
      if (remuxedBytes !== null && remuxedBytes > 0)
        return store(database, row, { state: 'ready', sizeBytes: remuxedBytes });
    }
    await store(database, row, { state: 'failed', sizeBytes: 0 });
  }

  async function request(queries: Queries, recordingId: string): Promise<void> {
    const row = await read(queries, recordingId);
    if (row === undefined || !isReadyImport(row)) return;
    const made = { state: 'waiting' as const, made_from: row.finished_at ?? 0, size_bytes: 0 };
    const known = await find(queries, recordingId);
    if (known !== undefined && known.made_from === made.made_from && known.state !== 'failed') return;
    await queries
      .insertInto('share_renditions')
      .values({ recording_id: recordingId, ...made })
      .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(made))
      .execute();
    await queue.enqueue(queries, {
      kind: renditionJob,
      payload: { recordingId },
      userId: row.owner_id,
      dedupeKey: `${recordingId} ${made.made_from}`,
    });
    queue.wake();
  }

  return {
    async stateOf(recordingId) {
      const row = await read(database.queries, recordingId);
      if (row === undefined || !isReadyImport(row) || playedFile(await storedSegments(row.id)) === null)
        return 'own';
      const rendition = await find(database.queries, row.id);
      if (rendition?.made_from === (row.finished_at ?? 0) && rendition.state !== 'waiting')
        return rendition.state;
      if ((await findFfmpeg()) === null) return 'impossible';
      return rendition?.made_from === (row.finished_at ?? 0) ? 'waiting' : 'missing';
    },
    request,
    async segments(recordingId) {
      const segments = await storedSegments(recordingId);
      const file = playedFile(segments);
      const rendition = file === null ? undefined : await find(database.queries, recordingId);
      if (file === null || rendition?.state !== 'ready') return segments;
      const { size_bytes: remuxedBytes } = rendition;
      return segments.map((segment) =>
        segment.uploadId === file.uploadId
          ? { ...file, remuxedBytes, remuxedContainer: 'ogg' as const, packetSamples: null }
          : segment,
      );
    },
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
            if (attempts >= attemptsUntilShown && row !== undefined && !isNoSpaceError(error))
              await store(database, row, { state: 'failed', sizeBytes: 0 });
            throw error;
          }
        },
      },
    ],
  };
}
