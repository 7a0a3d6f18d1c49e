import { missingMsIn, toleranceMs } from '#tests/faults/signal/account.ts';
import type { EngineAccount, EngineTrial, EngineTrialOptions } from '#tests/faults/world/engine-trial.ts';
import { forgiveTail, outcomeOf, type Outcome } from './outcome.ts';

/**
 * How much older the last sound is that an engine has delivered: its own buffers, and those of PulseAudio. Sound in
 * them at a stop or a kill has not been captured.
 */
export const deliveryAllowanceMs = 350;
/** The first sound of the recording, after the browser has handed over the microphone. */
const firstSoundMs = 300;
/** WebKitGTK's own recorder needs 321 to 323 ms in an empty page, too (`npm run bench -- first-sound`). */
const firstSoundOfWebKitRecorderMs = 350;
const minReadMs = 300;

/** A take starts with the browser's own recorder wherever PCM is late or can't be encoded. */
const latestFirstSoundMs = ({ engine, recording = 'PCM', outputStartMs = 0 }: EngineTrialOptions): number =>
  engine === 'WebKitGTK' && (recording === 'own recorder' || outputStartMs !== 0)
    ? firstSoundOfWebKitRecorderMs
    : firstSoundMs;

interface PressTimes {
  pressedAtMs: number;
  microphoneAtMs: number;
}

function notesOf({
  pressMs,
  lateMs,
  account: { recording },
  controlBreaks,
}: {
  pressMs: number | null;
  lateMs: number | null;
  account: EngineAccount;
  controlBreaks: number;
}): string {
  return [
    ...(pressMs === null ? [] : [`microphone ${pressMs} ms after the press`]),
    ...(lateMs === null ? [] : [`first sound ${lateMs} ms after it`]),
    `${recording.segments.length} segments`,
    ...recording.gaps.map(
      ({ atMs, durationMs, cutMs, cause }) => `${cause} ${cutMs ?? durationMs} ms at ${atMs}`,
    ),
    ...(controlBreaks > 0 ? [`the machine broke the signal ${controlBreaks} times`] : []),
  ].join(', ');
}

/**
 * Judges a take that a real microphone heard. `allowedTailMs` is what its end may cost; what the browser drops before
 * is a loss of its own, which has to be named. The times of the press are null if
 * the page that knew them was killed.
 */
export function judgeEngine(
  trial: EngineTrial,
  account: EngineAccount,
  { times, allowedTailMs = deliveryAllowanceMs }: { times: PressTimes | null; allowedTailMs?: number },
): Partial<Outcome> & { findings: string[] } {
  const { firstSignalMs, leadMs, missingMs, tailMs, recording } = account;
  const namedMs = missingMsIn(recording.gaps);
  const unnamedMs = missingMs - namedMs;
  // The reader finds no place in a first piece that is shorter.
  const isFirstRead = recording.gaps.every(({ atMs }) => atMs > minReadMs);
  const lateMs =
    times && isFirstRead ? Math.round(firstSignalMs - leadMs - trial.signalAt(times.microphoneAtMs)) : null;
  const pressMs = times && times.microphoneAtMs - times.pressedAtMs;
  const controlBreaks = trial.control().pieces.length - 1;
  const outcome = outcomeOf(forgiveTail(account, allowedTailMs));
  return {
    ...outcome,
    worstLossMs: tailMs,
    unexplainedMs: Math.max(outcome.unexplainedMs ?? 0, unnamedMs > toleranceMs ? unnamedMs : 0),
    findings: [
      ...(outcome.findings ?? []),
      ...(unnamedMs > toleranceMs
        ? [`${Math.round(missingMs)} ms of the signal are missing, ${namedMs} ms are named`]
        : []),
      ...(lateMs !== null && lateMs > latestFirstSoundMs(trial.options)
        ? [`the first sound is ${lateMs} ms after the microphone`]
        : []),
    ],
    notes: notesOf({ pressMs, lateMs, account, controlBreaks }),
  };
}
