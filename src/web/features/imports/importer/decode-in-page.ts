import { decodingOf, withRiskNoted } from '#device/risks/risk-notes.ts';
import { heldTakeIds } from '#device/takes/recording-lock.ts';
import { isTakeRunning } from '#web/api/sign-in-prompt.ts';
import type { FileFormat } from '#workers/import/import-record.ts';

/** Whether a take is written in this page or another one of this browser. */
const isTakeOnDevice = async (): Promise<boolean> =>
  isTakeRunning() || (await heldTakeIds().catch(() => new Set())).size > 0;

/**
 * Runs the decoding of an imported file, unless that could cost more than a waveform: while a take runs, because no
 * browser lets a page start a worker in another process, so that a fault in the decoder ends the take too, and if
 * this browser died of the format before. The server then decodes the file.
 * @returns false if it was not run
 */
export async function decodeInPage(format: FileFormat, run: () => Promise<void>): Promise<boolean> {
  if (await isTakeOnDevice()) return false;
  const isRun = await withRiskNoted(decodingOf(format), async () => {
    await run();
    return true;
  });
  return isRun ?? false;
}
