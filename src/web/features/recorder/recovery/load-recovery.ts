import { loadInBackground } from '#web/ui/lazy/load-in-background.ts';
import { startWithDeviceTakes } from '#device/takes/device-takes.ts';
import type { TakeRecord } from '#device/records/take-record.ts';

/** Loaded lazily, because the first screen does not need the recovery. */
const loadRecovery = () => import('./follow-takes.ts');

startWithDeviceTakes(async () => (await loadRecovery()).followTakes());

/**
 * Ends the recovery of a take, so that it can continue in this page.
 * @throws CaptureError `recording-gone` if this device no longer has it
 */
export const releaseToRecorder = async (takeId: string): Promise<TakeRecord> =>
  (await loadRecovery()).endRecoveryOf(takeId);

/** Recovers a take whose worker in this page failed or did not start. */
export function recoverSoon(takeId: string): void {
  void loadInBackground(loadRecovery).then(({ recoverTakeSoon }) => {
    recoverTakeSoon(takeId);
  });
}
