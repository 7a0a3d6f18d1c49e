import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { prepareJudged } from './prepare-judged.ts';
import { hasOwnPeaks } from '#server/features/recordings/remux/made-peaks.ts';
import { unmeasured } from './probe-file.ts';
import { measureImport, probeImport } from './probe-import.ts';
import type { PreparationResult, PrepareImportDeps, ImportTask } from './prepared-import.ts';
import { prepareUnjudged } from './prepare-unjudged.ts';

/**
 * Examines an imported file once its bytes are complete, and makes what the player needs: a copy or a rendition if
 * browsers don't play the file correctly, and peaks. It can be repeated safely. Rejects if a store fails, never
 * because of the file's contents.
 */
export async function prepareImport(
  deps: PrepareImportDeps,
  segments: readonly StoredSegment[],
  { track = null, signal }: { track?: number | null; signal: AbortSignal },
): Promise<PreparationResult> {
  const file = segments.find(({ stream, sealedAtMs }) => stream === 'audio' && sealedAtMs !== null);
  if (file === undefined) return { prepared: { kind: 'rejected', reason: 'empty' }, isJudged: true };
  const task: ImportTask = { file, segments, wantsPeaks: !hasOwnPeaks(file, segments), track, signal };
  const probed = await probeImport(deps.blobs, file, { signal });
  const program = await deps.findFfmpeg();
  // ffmpeg finds the holes in any codec while it decodes.
  const measured =
    probed.kind === 'sound'
      ? await measureImport(deps.blobs, file, { signal, readsPackets: program === null })
      : unmeasured;
  // Readers disagree about a file with absurd times, so its packets determine its duration.
  if (program === null || measured.hasAbsurdTimes)
    return { prepared: await prepareUnjudged(deps, task, { probed, measured }), isJudged: program !== null };
  return { prepared: await prepareJudged({ ...deps, program }, task, { probed, measured }), isJudged: true };
}
