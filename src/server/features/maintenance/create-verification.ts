import type { Clock } from '#base/clock.ts';
import { day, hour, second } from '#base/duration.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import { createVerificationStore, type SealedStream } from './verification-store.ts';
import { verifyStream, type StreamVerdict } from './verify-stream.ts';

const verifyJob = 'verify-stored';
/** A pass runs every night and starts with the streams whose last verification is the oldest. */
export const verificationSchedules = [{ kind: verifyJob, everyMs: day }] as const;

/** Streams verified within this time are skipped, so an interrupted pass resumes where it stopped. */
const verifiedRecentlyMs = 20 * hour;
const defaultBytesPerSecond = 20_000_000;
const streamsAtOnce = 1000;
/** After this time a pass lets other background jobs have their turn. */
const sliceMs = 10 * second;

/** A stream and the result of reading it again. */
export interface Verified {
  stream: SealedStream;
  verdict: StreamVerdict;
}

export interface VerificationDeps {
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'recordingChanged'>;
  /** Called for every stream that was read again. */
  onVerified: (verified: Verified) => void;
  bytesPerSecond?: number;
  /** How long a pass verifies before other background jobs have their turn. */
  sliceMs?: number;
}

export interface Verification {
  jobs: JobHandler[];
  damagedCount(): Promise<number>;
  /** When every stored stream was last verified, in Unix milliseconds; null if no pass has completed. */
  completedAtMs(): Promise<number | null>;
  /** Verifies everything now, or one recording, at full disk speed; for the command line. */
  verifyNow(options: { recordingId?: string; signal: AbortSignal }): AsyncGenerator<Verified>;
}

/** Builds the verification feature, which reads stored bytes again and reports changes. */
export function createVerification(deps: VerificationDeps): Verification {
  const { blobs, clock, announce } = deps;
  const store = createVerificationStore(deps.database);

  async function verify(
    stream: SealedStream,
    options: { bytesPerSecond?: number; notBeforeMs?: number; signal: AbortSignal },
  ): Promise<Verified> {
    const verified = { stream, verdict: await verifyStream(blobs, stream, options) };
    const isDamaged = verified.verdict !== 'intact';
    await store.note(stream, { atMs: Math.max(clock.nowMs(), options.notBeforeMs ?? 0), isDamaged });
    if (isDamaged !== (stream.damaged_at !== null))
      announce.recordingChanged(stream.owner_id, stream.recording_id);
    deps.onVerified(verified);
    return verified;
  }

  const nightly: JobHandler = {
    kind: verifyJob,
    lane: 'background',
    async run({ enqueuedAtMs }, { signal }) {
      const startedAtMs = performance.now();
      // Every part of the pass compares with the same time, so that a pass of days ends. If the clock is set back during
      // the pass, streams that were just verified must not be selected again.
      const beforeMs = enqueuedAtMs - verifiedRecentlyMs;
      for (;;) {
        const streams = await store.oldestVerified(beforeMs, streamsAtOnce);
        for (const stream of streams) {
          // The streams that were verified stay so: the pass is continued with the next one.
          if (performance.now() - startedAtMs >= (deps.sliceMs ?? sliceMs)) return 'again';
          await verify(stream, {
            bytesPerSecond: deps.bytesPerSecond ?? defaultBytesPerSecond,
            notBeforeMs: beforeMs,
            signal,
          });
        }
        if (streams.length < streamsAtOnce) return store.noteCompleted(clock.nowMs());
      }
    },
  };

  return {
    jobs: [nightly],
    damagedCount: () => store.damagedCount(),
    completedAtMs: () => store.completedAtMs(clock.nowMs()),
    async *verifyNow({ recordingId, signal }) {
      let after = '';
      for (;;) {
        const streams = await store.sealed(after, {
          limit: streamsAtOnce,
          ...(recordingId === undefined ? {} : { recordingId }),
        });
        for (const stream of streams) yield await verify(stream, { signal });
        after = streams.at(-1)?.id ?? '';
        if (streams.length < streamsAtOnce) break;
      }
      if (recordingId === undefined) await store.noteCompleted(clock.nowMs());
    },
  };
}
