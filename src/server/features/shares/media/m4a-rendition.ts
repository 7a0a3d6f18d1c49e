import { z } from 'zod';
import { second } from '#base/duration.ts';
import type { WindowConverter } from '#server/features/exports/convert/convert-window.ts';
import { findShares } from '#server/features/shares/shares-store.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { JobHandler, JobQueue } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { ShareM4aRow, ShareRow } from '#server/storage/database/share-tables.ts';
import { type PlayableSound, playableWindow, type SharedSoundDeps } from './shared-sound.ts';

const m4aJob = 'make-share-m4a';
const payloadSchema = z.object({ shareId: z.string() });
/** How long a request waits for a rendition that is being made: enough for some minutes of sound. */
const longestWaitMs = 20 * second;
const checkEveryMs = 0.5 * second;
const retryAfterSeconds = 10;

export interface M4aDeps extends SharedSoundDeps {
  /** Stops at the disk reserve. */
  blobs: BlobStore;
  queue: JobQueue;
  converter: WindowConverter;
}

/** The key of a link's rendition. */
export const m4aKeyOf = (share: Pick<ShareRow, 'id' | 'recording_id'>): string =>
  `recordings/${share.recording_id}/shared-${share.id}-m4a`;

const find = ({ queries }: Database, shareId: string): Promise<ShareM4aRow | undefined> =>
  queries.selectFrom('share_m4a').selectAll().where('share_id', '=', shareId).executeTakeFirst();

/** Stores what was made, and counts its size with the recording's in place of what was there. */
async function store(
  database: Database,
  share: ShareRow,
  made: Pick<ShareM4aRow, 'state' | 'size_bytes'>,
): Promise<void> {
  const before = (await find(database, share.id))?.size_bytes ?? 0;
  await database.transaction(async (transaction) => {
    await transaction.updateTable('share_m4a').set(made).where('share_id', '=', share.id).execute();
    await transaction
      .updateTable('recordings')
      .set(({ eb }) => ({ stored_bytes: eb('stored_bytes', '+', made.size_bytes - before) }))
      .where('id', '=', share.recording_id)
      .execute();
  });
}

async function write(blobs: BlobStore, key: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const unfinishedKey = `${key}-unfinished`;
  await blobs.remove(unfinishedKey);
  await blobs.create(unfinishedKey);
  let offsetBytes = 0;
  for await (const bytes of pieces) offsetBytes = await blobs.append(unfinishedKey, { offsetBytes, bytes });
  await blobs.move(unfinishedKey, key);
  return offsetBytes;
}

async function make(deps: M4aDeps, shareId: string, signal: AbortSignal): Promise<void> {
  const { database, blobs, converter } = deps;
  const [share] = await findShares(database.queries, [shareId]);
  const wanted = await find(database, shareId);
  if (share === undefined || wanted?.state !== 'waiting') return;
  const { window, recording } = await playableWindow(deps, share);
  // The settings changed in the meantime: the next request asks for another one.
  if (window.audio.etag !== wanted.fingerprint) return;
  const converted = await converter.convert(
    {
      format: 'm4a',
      sound: window.openSound(),
      durationMs: window.durationMs,
      channels: recording.channels,
      title: '',
      date: null,
      chapters: [],
    },
    signal,
  );
  const sizeBytes = await write(blobs, m4aKeyOf(share), converted);
  await store(database, share, { state: 'ready', size_bytes: sizeBytes });
}

/** The job that makes the renditions. It can be repeated safely. */
export function m4aJobs(deps: M4aDeps): JobHandler[] {
  const fail = async (shareId: string): Promise<void> => {
    const [share] = await findShares(deps.database.queries, [shareId]);
    if (share !== undefined) await store(deps.database, share, { state: 'failed', size_bytes: 0 });
  };
  return [
    {
      kind: m4aJob,
      lane: 'long',
      onSetAside: (payload) => fail(payloadSchema.parse(payload).shareId),
      async run({ payload }, { signal }) {
        const { shareId } = payloadSchema.parse(payload);
        try {
          await make(deps, shareId, signal);
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          await fail(shareId);
        }
      },
    },
  ];
}

async function request({ database, queue }: M4aDeps, share: ShareRow, fingerprint: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const waiting = { state: 'waiting' as const, fingerprint };
    await transaction
      .insertInto('share_m4a')
      .values({ share_id: share.id, ...waiting, size_bytes: 0 })
      .onConflict((conflict) => conflict.column('share_id').doUpdateSet(waiting))
      .execute();
    await queue.enqueue(transaction, {
      kind: m4aJob,
      payload: { shareId: share.id },
      userId: share.owner_id,
      dedupeKey: `${share.id} ${fingerprint}`,
    });
  });
  queue.wake();
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
  for (let waitedMs = 0; waitedMs <= longestWaitMs && !signal.aborted; waitedMs += checkEveryMs) {
    const made = await find(database, share.id);
    if (made?.fingerprint !== fingerprint) await request(deps, share, fingerprint);
    else if (made.state === 'failed') throw new ProblemError('conversion-failed');
    else if (made.state === 'ready')
      return {
        sizeBytes: made.size_bytes,
        etag: fingerprint.replace(/"$/, '-m4a"'),
        mediaType: 'audio/mp4',
        read: (range) => blobs.read(m4aKeyOf(share), range),
        stream: (range) => blobs.stream(m4aKeyOf(share), range),
      };
    await new Promise((resolve) => {
      setTimeout(resolve, checkEveryMs);
    });
  }
  throw new ProblemError('share-not-started', { retryAfterSeconds });
}
