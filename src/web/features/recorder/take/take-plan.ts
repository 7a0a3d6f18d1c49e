import type { Quality } from '#contract/limits.ts';
import type { StartTake } from '#web/features/recorder/capture/capture-session.ts';
import type { TakeRegistry } from './attachment.ts';
import type { Take } from './take.ts';
import type { CaptureSource, NewTake } from '#workers/take/messages.ts';
import { notesOf, type TakeRecord } from '#device/takes/take-record.ts';

export interface PlanDeps {
  quality: () => Quality;
  registry: TakeRegistry;
  nowMs: () => number;
  newId: () => string;
  timeZone: () => string;
  /**
   * Lets go of a take that a page had left open and that is being recovered; what the device knows of it.
   * Throws when it is gone.
   */
  revive: (takeId: string) => Promise<TakeRecord>;
}

/** How a take is to begin once its microphone is open. */
export interface TakePlan {
  id: string;
  firstMessage: StartTake['firstMessage'];
  /** The take as it starts; read when the worker runs. */
  take: (origin: TakeOrigin) => Take;
}

/** A new take under an id made here. */
export function planNew(
  { quality, registry, nowMs, newId, timeZone }: PlanDeps,
  title: string | null,
): TakePlan {
  const options = {
    id: newId(),
    title: title ?? '',
    timeZone: timeZone(),
    quality: quality(),
    ownerId: registry.userId(),
  };
  let startedAtMs = nowMs();
  const from = ({ source: { deviceLabel, sampleRateHz, channels } }: Pick<TakeOrigin, 'source'>) => ({
    ...options,
    startedAtMs,
    deviceLabel,
    sampleRateHz,
    channels,
  });
  return {
    id: options.id,
    firstMessage: (source) => {
      // The question for the microphone may have stood open for minutes.
      startedAtMs = nowMs();
      return { type: 'start', take: from({ source }), source };
    },
    take: (origin) => startedTake(from(origin), origin),
  };
}

/** Plans to continue a take after a gap. */
export function planContinued({ revive }: Pick<PlanDeps, 'revive'>, takeId: string): TakePlan {
  let record: TakeRecord | null = null;
  return {
    id: takeId,
    firstMessage: async (source) => {
      record = await revive(takeId);
      return { type: 'recover', takeId, source };
    },
    take: (origin) => {
      if (record === null) throw new TypeError(`take ${takeId} goes on before it was found`);
      return continuedTake(record, origin);
    },
  };
}

/** Where the sound of a new take comes from and where it is stored. */
interface TakeOrigin {
  source: CaptureSource;
  journal: Take['journal'];
}

const fresh = { condition: 'unattached', storageTarget: 'disk', alarms: [] } as const;

/** A take whose first sound is yet to come. */
function startedTake(take: NewTake, { source, journal }: TakeOrigin): Take {
  return {
    ...take,
    ...fresh,
    progress: { capturedMs: 0, deviceMs: 0, serverMs: 0 },
    safety: 'device',
    markers: [],
    notes: [],
    gaps: [],
    journal,
    sourceKind: source.kind,
  };
}

/** A stored take that continues from its length. */
function continuedTake(record: TakeRecord, { source, journal }: TakeOrigin): Take {
  const { id, title, startedAtMs, timeZone, quality, sampleRateHz, channels, ownerId, durationMs, gaps } =
    record;
  const serverMs = record.receiptAtMs === null ? 0 : durationMs;
  return {
    ...fresh,
    id,
    title,
    startedAtMs,
    timeZone,
    quality,
    sampleRateHz,
    channels,
    ownerId,
    gaps,
    journal,
    deviceLabel: source.deviceLabel,
    sourceKind: source.kind,
    progress: { capturedMs: durationMs, deviceMs: durationMs, serverMs },
    safety: record.upload === null ? 'device' : 'syncing',
    notes: notesOf(record),
    markers: record.markers.map(({ id: markerId, atMs, label }) => ({ id: markerId, atMs, label })),
  };
}
