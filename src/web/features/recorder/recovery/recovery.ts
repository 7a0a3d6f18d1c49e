import type { FromTakeWorker } from '#workers/take/messages.ts';
import type { Rejection, TakeRecord } from '#device/records/take-record.ts';
import type { TakeWorker, TakeWorkerEvents } from '#web/features/recorder/capture/take-worker.ts';
import { createAttachment, type TakeRegistry } from '#web/features/recorder/take/attachment.ts';
import { mayContinue } from '#web/features/recorder/take/take-length.ts';
import { takesToRecover } from '#device/takes/recovery-plan.ts';

/** A take whose page ended unexpectedly; its journal is closed now, and complete up to the last flushed page. */
export interface RecoveredTake {
  id: string;
  ownerId: string | null;
  title: string;
  startedAtMs: number;
  /** Null if it is not known yet. */
  durationMs: number | null;
  canContinue: boolean;
}

export interface RecoveryDeps {
  readDevice: () => Promise<{ records: readonly TakeRecord[]; heldTakeIds: ReadonlySet<string> }>;
  startTakeWorker: (events: TakeWorkerEvents) => TakeWorker;
  registry: TakeRegistry;
  onChange: (takeId: string) => void;
  onRecovered: (take: RecoveredTake) => void;
  onReceipt: (takeId: string) => void;
  /** The server will never take it. */
  onRejected: (takeId: string, rejection: Rejection) => void;
}

/**
 * Closes and uploads one take. Resolves when the server has it or nothing more can be done now. The result is true
 * if another tab holds the take.
 */
function recoverTake(record: TakeRecord, deps: RecoveryDeps, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  signal.addEventListener(
    'abort',
    () => {
      resolve(false);
    },
    { once: true },
  );
  let ownerId = record.ownerId;
  let isClosed = record.state === 'stopped';
  let isUnowned = false;
  let isReported = record.state !== 'recording';
  /** A take without a byte has the length 0 and is not reported; one of unknown length is. */
  const report = (durationMs: number | null) => {
    if (isReported || durationMs === 0) return;
    isReported = true;
    deps.onRecovered({
      id: record.id,
      ownerId,
      title: record.title,
      startedAtMs: record.startedAtMs,
      durationMs,
      canContinue: mayContinue({ startedAtMs: record.startedAtMs, durationMs }),
    });
  };
  const resolveIfUnowned = () => {
    if (isClosed && isUnowned) resolve(false);
  };
  const reject = (rejection: Rejection) => {
    deps.onRejected(record.id, rejection);
  };
  const attachment = createAttachment(
    {
      take: () => ({ ...record, ownerId }),
      onAttached: (userId, upload) => {
        ownerId = userId;
        isUnowned = false;
        worker.post({ type: 'attach', ownerId: userId, upload });
      },
      onStored: (userId, stored) => {
        worker.post({ type: 'stored', ownerId: userId, ...stored });
      },
      onRejected: reject,
      onUnowned: () => {
        isUnowned = true;
        resolveIfUnowned();
      },
    },
    deps.registry,
  );

  const close = (durationMs: number | null) => {
    isClosed = true;
    report(durationMs);
    deps.onChange(record.id);
    resolveIfUnowned();
  };
  const finish = (durationMs: number | null) => {
    report(durationMs);
    deps.onReceipt(record.id);
    deps.onChange(record.id);
    resolve(false);
  };
  // Only workers of takes that are being recorded post other messages.
  const handle = (message: FromTakeWorker) => {
    if (message.type === 'attach-needed') attachment.need(message);
    else if (message.type === 'rejected') {
      reject(message.rejection);
      resolve(false);
    } else if (message.type === 'unsendable') resolve(false);
    else if (message.type === 'stopped') close(message.durationMs);
    else if (message.type === 'receipt') finish(message.durationMs);
    else if (message.type === 'failed') {
      // The worker has removed a take without audio.
      deps.onChange(record.id);
      resolve(message.code === 'locked');
    }
  };
  const worker = deps.startTakeWorker({
    onMessage: handle,
    onBroken: () => {
      resolve(false);
    },
  });
  worker.post({ type: 'recover', takeId: record.id });
  return promise.finally(() => {
    attachment.close();
    worker.terminate();
  });
}

/** How many takes are recovered at the same time: one with a slow upload must not delay closing another's journal. */
const atOnce = 3;

export interface Recovery {
  /**
   * Recovers all takes that need it, including those that failed before. Call it at the start and after a change
   * of session. Resolves when none is left.
   */
  run: () => Promise<void>;
  /** Recovers takes that have lost their writer since. A take that failed waits for the next `run`. */
  search: () => Promise<void>;
  /** Stops recovering a take, because it continues in this page. Resolves when its worker has ended. */
  release: (takeId: string) => Promise<void>;
  /** Recovers a released take again. */
  reclaim: (takeId: string) => void;
}

/** Recovers takes without a page or a receipt, a few at a time, without asking the user. */
export function createRecovery(deps: RecoveryDeps): Recovery {
  const running = new Map<string, { isDone: Promise<void>; ending: AbortController }>();
  const released = new Set<string>();
  /** Once per run, so that tabs that can't recover a take don't pass it to each other forever. */
  const tried = new Set<string>();
  let searching = Promise.resolve();

  const recoverOne = async (record: TakeRecord, signal: AbortSignal) => {
    const isElsewhere = await recoverTake(record, deps, signal);
    if (isElsewhere) tried.delete(record.id);
    running.delete(record.id);
    if (!isElsewhere) void search();
  };
  const searchOnce = async () => {
    const { records, heldTakeIds } = await deps.readDevice();
    const lost = takesToRecover(
      records,
      { userId: deps.registry.userId(), heldTakeIds },
      deps.registry.mayClaim,
    ).filter(({ id }) => !tried.has(id) && !running.has(id) && !released.has(id));
    for (const record of lost.slice(0, Math.max(0, atOnce - running.size))) {
      tried.add(record.id);
      const ending = new AbortController();
      running.set(record.id, { ending, isDone: recoverOne(record, ending.signal) });
    }
  };
  const search = () => {
    searching = searching.then(searchOnce);
    return searching;
  };

  return {
    search,
    release: async (takeId) => {
      released.add(takeId);
      const work = running.get(takeId);
      work?.ending.abort();
      await work?.isDone;
    },
    reclaim: (takeId) => {
      released.delete(takeId);
      tried.delete(takeId);
    },
    run: async () => {
      tried.clear();
      await search();
      while (running.size > 0) {
        await Promise.race(Array.from(running.values(), ({ isDone }) => isDone));
        await searching;
      }
    },
  };
}
