import { second } from '#base/duration.ts';
import { decodingOf, withRiskNoted } from '#device/risks/risk-notes.ts';
import { heldTakeIds } from '#device/takes/recording-lock.ts';
import { isTakeRunning } from '#web/api/sign-in-prompt.ts';
import type { FileFormat } from '#workers/import/import-record.ts';

/** Whether a take is written in this page or another one of this browser. */
const isTakeOnDevice = async (): Promise<boolean> =>
  isTakeRunning() || (await heldTakeIds().catch(() => new Set())).size > 0;

/** How often decoding looks for a take that has started, in this page or another one. */
const lookEveryMs = second / 2;

/** Runs work and aborts it when a take starts. */
async function untilTakeStarts(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const timer = setInterval(() => {
    void isTakeOnDevice().then((isRunning) => {
      if (isRunning) stop.abort();
    });
  }, lookEveryMs);
  try {
    await work(stop.signal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Runs the decoding of an imported file, unless that could cost more than a waveform: while a take runs, because no
 * browser lets a page start a worker in another process, so that a fault in the decoder ends the take too, and if
 * this browser died of the format before. The server then decodes the file. A take that starts meanwhile aborts `run`.
 * @returns false if it was not run
 */
export async function decodeInPage(
  format: FileFormat,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (await isTakeOnDevice()) return false;
  const isRun = await withRiskNoted(decodingOf(format), async () => {
    await untilTakeStarts(run);
    return true;
  });
  return isRun ?? false;
}
