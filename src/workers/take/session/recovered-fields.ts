import type { GapCause } from '#contract/recordings.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';

/**
 * What a kill can have taken at most: the block that the worklet was filling (20 ms), one on its way (20 ms),
 * the packet that the encoder was filling (20 ms), and what was not flushed: 40 ms of packets when the
 * browser dies, 240 ms when the machine does.
 */
const longestKillLossMs = 300;

type Changes = Partial<Omit<TakeRecord, 'id' | 'deletedAtMs'>>;

/** A take that is over: what its kill may have taken is named, unless it was paused then. */
export function fieldsOfStopped(record: TakeRecord, durationMs: number): Changes {
  return {
    state: 'stopped',
    durationMs,
    ...labelsWithin(record, durationMs),
    gaps: gapsOfStopped(record, durationMs),
  };
}

/**
 * A take that goes on: the gap since its kill is named when it ends; a pause that it was killed in is over.
 */
export function fieldsGoingOn(record: TakeRecord, durationMs: number, nowMs: number): Changes {
  return {
    state: 'recording',
    durationMs,
    receiptAtMs: null,
    goesOn: true,
    ...labelsWithin(record, durationMs),
    gaps: record.gaps.filter((gap) => !isOfKill(gap, durationMs)),
    pauses: record.pauses.map((pause) =>
      pause.durationMs > 0
        ? pause
        : { ...pause, durationMs: Math.max(1, sinceEndMs(record, durationMs, nowMs)) },
    ),
  };
}

/** How long ago the sound ended; null when the take was paused, which takes no time in it. */
export function silentForMs(record: TakeRecord, durationMs: number, nowMs: number): number | null {
  return isPaused(record) ? null : sinceEndMs(record, durationMs, nowMs);
}

/**
 * Why no sound was recorded until a take goes on: it was stopped in order, or its page died, whether or not
 * it was found and closed since.
 */
export function causeOfSilence({ state, gaps }: TakeRecord, durationMs: number): GapCause {
  return state === 'stopped' && !gaps.some((gap) => isOfKill(gap, durationMs)) ? 'stopped' : 'page-killed';
}

const isPaused = ({ pauses }: TakeRecord): boolean => pauses.at(-1)?.durationMs === 0;

const isOfKill = (gap: TakeRecord['gaps'][number], durationMs: number): boolean =>
  gap.cause === 'page-killed' && gap.atMs >= durationMs;

function gapsOfStopped(record: TakeRecord, durationMs: number): TakeRecord['gaps'] {
  const gaps = record.gaps.filter((gap) => !isOfKill(gap, durationMs));
  if (record.state === 'stopped') return record.gaps;
  return isPaused(record)
    ? gaps
    : [...gaps, { atMs: durationMs, durationMs: longestKillLossMs, cause: 'page-killed' }];
}

/** A clock that was set back since says less than the last word of the take. */
function sinceEndMs(
  { startedAtMs, pauses, updatedAtMs }: TakeRecord,
  durationMs: number,
  nowMs: number,
): number {
  const pausedMs = pauses.reduce((sum, pause) => sum + pause.durationMs, 0);
  const endedAtMs = startedAtMs + durationMs + pausedMs;
  return Math.max(0, nowMs - (endedAtMs <= nowMs ? endedAtMs : Math.min(updatedAtMs, nowMs)));
}

/** A marker or a note of the last half second may lie beyond the last whole page. */
function labelsWithin(
  { markers, notes = [] }: TakeRecord,
  durationMs: number,
): Pick<TakeRecord, 'markers' | 'notes'> {
  const within = <Label extends { atMs: number }>(label: Label): Label => ({
    ...label,
    atMs: Math.min(label.atMs, durationMs),
  });
  return { markers: markers.map(within), notes: notes.map(within) };
}
