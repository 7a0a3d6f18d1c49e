import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { createVerification, type Verified } from '#server/features/maintenance/create-verification.ts';
import { openBesideServer } from '#server/start/open-stores.ts';
import { progressPrinter } from './progress-printer.ts';

const lineOf = ({ stream, verdict }: Verified): string =>
  [
    verdict.padEnd(7),
    stream.recording_id,
    `${stream.stream}-${String(stream.segment_index).padStart(4, '0')}`,
    `${stream.size_bytes} bytes`,
  ].join('  ');

/** Reads every stored stream, or those of one recording, and compares their hashes with the receipts. */
async function verifyAll(
  config: Config,
  {
    recordingId,
    onVerified,
  }: { recordingId?: string | undefined; onVerified?: (verified: Verified, count: number) => void } = {},
): Promise<{ count: number; damaged: Verified[] }> {
  const { database, blobs } = await openBesideServer(config);
  const verification = createVerification({
    database,
    blobs,
    clock: systemClock,
    announce: { recordingChanged: () => undefined },
    onVerified: () => undefined,
  });
  const damaged: Verified[] = [];
  let count = 0;
  try {
    for await (const verified of verification.verifyNow({
      signal: new AbortController().signal,
      ...(recordingId === undefined ? {} : { recordingId }),
    })) {
      count += 1;
      if (verified.verdict !== 'intact') damaged.push(verified);
      onVerified?.(verified, count);
    }
  } finally {
    await blobs.close();
    await database.close();
  }
  return { count, damaged };
}

/** Prints each damaged stream, the progress and the sum. Returns 1 if a stream has changed. */
export async function verify(
  config: Config,
  { recordingId, asJson }: { recordingId: string | undefined; asJson: boolean },
): Promise<number> {
  const printProgress = progressPrinter();
  const { count, damaged } = await verifyAll(config, {
    recordingId,
    onVerified: (verified, soFar) => {
      if (asJson) return;
      if (verified.verdict !== 'intact') process.stdout.write(`${lineOf(verified)}\n`);
      printProgress(() => `${soFar} streams verified…`);
    },
  });
  const found = damaged.map(({ stream, verdict }) => ({
    recordingId: stream.recording_id,
    uploadId: stream.id,
    stream: stream.stream,
    segmentIndex: stream.segment_index,
    verdict,
  }));
  process.stdout.write(
    `${asJson ? JSON.stringify({ verified: count, damaged: found }) : `${count} streams verified, ${damaged.length} damaged`}\n`,
  );
  return damaged.length > 0 ? 1 : 0;
}
