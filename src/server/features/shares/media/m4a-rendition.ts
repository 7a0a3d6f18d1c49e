import { z } from 'zod';
import { second } from '#base/duration.ts';
import { isStorageOutage } from '#base/errors/storage-outage.ts';
import type { WindowConverter } from '#server/features/exports/convert/convert-window.ts';
import { findShares } from '#server/features/shares/shares-store.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import { awaitedPriority, type JobHandler, type JobQueue } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { unfinishedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { rewriting } from '#server/storage/blobs/rewriting.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { countDerivedBytes } from '#server/storage/rows/derived-bytes.ts';
import type { ShareM4aRow, ShareRow } from '#server/storage/database/share-tables.ts';
import { type ProgressiveMp4, progressiveMp4 } from './progressive-mp4.ts';
import { type PlayableSound, playableWindow, type SharedSoundDeps } from './shared-sound.ts';

const m4aJob = 'make-share-m4a';
const payloadSchema = z.object({ shareId: z.string(), fingerprint: z.string() });
/** From this attempt on the rendition is shown as failed. */
const attemptsUntilShown = 3;
/** How long a request waits for a rendition that is being made: enough for some minutes of sound. */
const maxWaitMs = 20 * second;
const checkEveryMs = 0.5 * second;
const retryAfterSeconds = 10;

export interface M4aDeps extends SharedSoundDeps {
  /** Stops at the disk reserve. */
  blobs: BlobStore;
  queue: JobQueue;
  converter: WindowConverter;
}

/** What a job makes: the sound of a link, of the window with this fingerprint. */
type Wanted = z.infer<typeof payloadSchema>;

/** The key of a link's rendition. Each window has its own, so that no bytes of another window are served. */
export const m4aKeyOf = (share: Pick<ShareRow, 'id' | 'recording_id'>, fingerprint: string): string =>
  `recordings/${share.recording_id}/shared-${share.id}-m4a-${hashOf(fingerprint).slice(0, 32)}`;

/** The keys of the files from which a rendition is made. A server that is killed leaves them. */
const partKeysOf = (key: string) => ({ streamedKey: `${key}-streamed`, unfinishedKey: unfinishedKeyOf(key) });

/** Removes a link's rendition, and what a killed server left of making it. */
export async function removeM4a(
  blobs: Pick<BlobStore, 'remove'>,
  share: Pick<ShareRow, 'id' | 'recording_id'>,
  fingerprint: string,
): Promise<void> {
  const key = m4aKeyOf(share, fingerprint);
  const { streamedKey, unfinishedKey } = partKeysOf(key);
  for (const each of [key, streamedKey, unfinishedKey]) await blobs.remove(each);
}

const find = (queries: Queries, shareId: string): Promise<ShareM4aRow | undefined> =>
  queries.selectFrom('share_m4a').selectAll().where('share_id', '=', shareId).executeTakeFirst();

/**
 * Stores that the window's sound was made.
 * @returns false if the link plays another window in the meantime
 */
async function store(
  database: Database,
  share: ShareRow,
  made: Pick<ShareM4aRow, 'fingerprint' | 'size_bytes'>,
): Promise<boolean> {
  return database.transaction((transaction) =>
    countDerivedBytes(transaction, share.recording_id, async () => {
      const { numUpdatedRows } = await transaction
        .updateTable('share_m4a')
        .set({ state: 'ready', size_bytes: made.size_bytes })
        .where('share_id', '=', share.id)
        .where('fingerprint', '=', made.fingerprint)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    }),
  );
}

/** Stores that the window's sound cannot be made, unless the link plays another window in the meantime. */
async function fail({ queries }: Database, { shareId, fingerprint }: Wanted): Promise<void> {
  await queries
    .updateTable('share_m4a')
    .set({ state: 'failed' })
    .where('share_id', '=', shareId)
    .where('fingerprint', '=', fingerprint)
    .where('state', '=', 'waiting')
    .execute();
}

/** Creates a file of pieces; of a failure nothing is left. Returns its size. */
async function write(blobs: BlobStore, key: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const { append, sizeBytes } = await rewriting(blobs, key);
  try {
    for await (const bytes of pieces) await append(bytes);
  } catch (error) {
    await blobs.remove(key);
    throw error;
  }
  return sizeBytes();
}

const pieceBytes = 1024 * 1024;

/** A progressive file in pieces, with the bytes of the streamed one. */
async function* piecesOf(
  { header, ranges }: ProgressiveMp4,
  read: (range: { startByte: number; endByteExclusive: number }) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let pieces = [header];
  let waitingBytes = header.length;
  for (const range of ranges) {
    if (waitingBytes >= pieceBytes) {
      yield Buffer.concat(pieces);
      [pieces, waitingBytes] = [[], 0];
    }
    const bytes = await read(range);
    pieces.push(bytes);
    waitingBytes += bytes.length;
  }
  yield Buffer.concat(pieces);
}

/** Stores what ffmpeg streams, with an index that lets players seek. Returns its size. */
async function writeIndexed(
  blobs: BlobStore,
  key: string,
  { converted, durationMs }: { converted: AsyncIterable<Uint8Array>; durationMs: number },
): Promise<number> {
  const { streamedKey, unfinishedKey } = partKeysOf(key);
  const read = (range: { startByte: number; endByteExclusive: number }) => blobs.read(streamedKey, range);
  const sizeBytes = await write(blobs, streamedKey, converted);
  try {
    const file = await progressiveMp4(
      { sizeBytes, read: (startByte, endByteExclusive) => read({ startByte, endByteExclusive }) },
      durationMs,
    );
    const indexedBytes = await write(blobs, unfinishedKey, piecesOf(file, read));
    await blobs.move(unfinishedKey, key);
    return indexedBytes;
  } finally {
    await blobs.remove(streamedKey);
  }
}

async function make(deps: M4aDeps, { shareId, fingerprint }: Wanted, signal: AbortSignal): Promise<void> {
  const { database, blobs, converter } = deps;
  const [share] = await findShares(database.queries, [shareId]);
  const row = await find(database.queries, shareId);
  if (share === undefined) return;
  if (row?.fingerprint !== fingerprint) {
    // Another window is played, or none: a run that was killed may have left files of this one.
    await removeM4a(blobs, share, fingerprint);
    return;
  }
  if (row.state !== 'waiting') return;
  const { window } = await playableWindow(deps, share);
  // The settings changed in the meantime: the next request of a listener enqueues another job.
  if (window.audio.etag !== fingerprint) {
    await removeM4a(blobs, share, fingerprint);
    return;
  }
  const waveform = await window.waveform();
  const converted = await converter.convert(
    {
      format: 'm4a',
      sound: window.openSound(),
      durationMs: window.durationMs,
      channels: window.channels,
      title: '',
      date: null,
      chapters: [],
      waveform,
    },
    signal,
  );
  const key = m4aKeyOf(share, fingerprint);
  const sizeBytes = await writeIndexed(blobs, key, { converted, durationMs: window.durationMs });
  if (!(await store(database, share, { fingerprint, size_bytes: sizeBytes })))
    await removeM4a(blobs, share, fingerprint);
}

/** The job that makes the renditions. It can be repeated safely. */
export function m4aJobs(deps: M4aDeps): JobHandler[] {
  return [
    {
      kind: m4aJob,
      lane: 'long',
      onSetAside: (payload) => fail(deps.database, payloadSchema.parse(payload)),
      async run({ payload, attempts }, { signal }) {
        const wanted = payloadSchema.parse(payload);
        try {
          await make(deps, wanted, signal);
        } catch (error) {
          if (error instanceof ProblemError) {
            // Any other problem concerns what the link plays now, which each request checks itself.
            if (error.code === 'conversion-failed') await fail(deps.database, wanted);
            return;
          }
          if (attempts >= attemptsUntilShown && !signal.aborted && !isStorageOutage(error))
            await fail(deps.database, wanted);
          throw error;
        }
      },
    },
  ];
}

/** Makes the row wait for this window. Returns the row that was replaced, whose bytes nothing plays any more. */
async function replace(queries: Queries, share: ShareRow, fingerprint: string): Promise<ShareM4aRow | null> {
  const known = await find(queries, share.id);
  if (known?.fingerprint === fingerprint) return null;
  const waiting = { state: 'waiting' as const, fingerprint, size_bytes: 0 };
  if (known === undefined) {
    await queries
      .insertInto('share_m4a')
      .values({ share_id: share.id, ...waiting })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return null;
  }
  const { numUpdatedRows } = await queries
    .updateTable('share_m4a')
    .set(waiting)
    .where('share_id', '=', share.id)
    .where('fingerprint', '=', known.fingerprint)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? known : null;
}

/** Requests the sound of a window. Does nothing while a job makes it. */
async function request(deps: M4aDeps, share: ShareRow, fingerprint: string): Promise<void> {
  const { database, blobs, queue } = deps;
  const replaced = await database.transaction(async (transaction) => {
    const before = await countDerivedBytes(transaction, share.recording_id, () =>
      replace(transaction, share, fingerprint),
    );
    await queue.enqueue(transaction, {
      kind: m4aJob,
      payload: { shareId: share.id, fingerprint } satisfies Wanted,
      userId: share.owner_id,
      dedupeKey: `${share.id} ${fingerprint}`,
      priority: awaitedPriority,
    });
    return before;
  });
  queue.wake();
  // Its job may still run, and removes the files that it makes.
  if (replaced !== null) await blobs.remove(m4aKeyOf(share, replaced.fingerprint));
}

/**
 * The sound of a link for browsers that do not play Ogg/Opus. It is made on first use, and waits for it a while.
 * @throws share-not-started (409) while it is being made; conversion-unavailable (409), conversion-failed (422)
 */
export async function m4aOf(
  deps: M4aDeps,
  share: ShareRow,
  { sound: { window }, signal }: { sound: PlayableSound; signal: AbortSignal },
): Promise<ByteSource> {
  const { database, blobs, converter } = deps;
  const { etag: fingerprint } = window.audio;
  if (!(await converter.isAvailable())) throw new ProblemError('conversion-unavailable');
  for (let waitedMs = 0; waitedMs <= maxWaitMs && !signal.aborted; waitedMs += checkEveryMs) {
    const made = await find(database.queries, share.id);
    const isOfWindow = made?.fingerprint === fingerprint;
    if (isOfWindow && made.state === 'failed') throw new ProblemError('conversion-failed');
    if (isOfWindow && made.state === 'ready')
      return {
        sizeBytes: made.size_bytes,
        etag: fingerprint.replace(/"$/, '-m4a"'),
        mediaType: 'audio/mp4',
        read: (range) => blobs.read(m4aKeyOf(share, fingerprint), range),
        stream: (range) => blobs.stream(m4aKeyOf(share, fingerprint), range),
      };
    // A row may wait for a job that found other settings and ended.
    if (waitedMs === 0) await request(deps, share, fingerprint);
    // The settings changed in the meantime, and another listener plays the other window.
    else if (!isOfWindow) break;
    await new Promise((resolve) => {
      setTimeout(resolve, checkEveryMs);
    });
  }
  throw new ProblemError('share-not-started', { retryAfterSeconds });
}
