import type { FromTakeWorker } from '#workers/take/messages.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';
import type { TakeWorker, TakeWorkerEvents } from '#web/features/recorder/capture/take-worker.ts';
import { createAttachment, type TakeRegistry } from '#web/features/recorder/take/attachment.ts';
import { mayContinue } from '#web/features/recorder/take/take-length.ts';
import { takesToRecover } from '#device/takes/recovery-plan.ts';

/** A take that a dying page left open, now closed in order and whole up to its last flushed page. */
export interface RecoveredTake {
  id: string;
  ownerId: string | null;
  title: string;
  startedAtMs: number;
  durationMs: number;
  mayGoOn: boolean;
}

export interface RecoveryDeps {
  readDevice: () => Promise<{ records: readonly TakeRecord[]; heldTakeIds: ReadonlySet<string> }>;
  startTakeWorker: (events: TakeWorkerEvents) => TakeWorker;
  registry: TakeRegistry;
  /** Whether a take of nobody may go to whoever is signed in. */
  mayClaim: (takeId: string) => boolean;
  onChange: (takeId: string) => void;
  onRecovered: (take: RecoveredTake) => void;
  onReceipt: (takeId: string) => void;
}

/**
 * Closes and sends one take; resolves when it is on the server, or when nothing more can be done for it now;
 * true when another tab has it.
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
  let isTold = record.state !== 'recording';
  /** Nothing is said of a take without any sound. */
  const tell = (durationMs: number) => {
    if (isTold || durationMs === 0) return;
    isTold = true;
    deps.onRecovered({
      id: record.id,
      ownerId,
      title: record.title,
      startedAtMs: record.startedAtMs,
      durationMs,
      mayGoOn: mayContinue({ startedAtMs: record.startedAtMs, durationMs }),
    });
  };
  const resolveIfUnowned = () => {
    if (isClosed && isUnowned) resolve(false);
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
      onUnowned: () => {
        isUnowned = true;
        resolveIfUnowned();
      },
    },
    record.ownerId !== null || deps.mayClaim(record.id)
      ? deps.registry
      : { ...deps.registry, userId: () => null },
  );

  const close = (durationMs: number) => {
    isClosed = true;
    tell(durationMs);
    deps.onChange(record.id);
    resolveIfUnowned();
  };
  const finish = (durationMs: number) => {
    tell(durationMs);
    deps.onReceipt(record.id);
    deps.onChange(record.id);
    resolve(false);
  };
  // What else a worker says speaks of a take that is being recorded.
  const handle = (message: FromTakeWorker) => {
    if (message.type === 'attach-needed') attachment.need(message);
    else if (message.type === 'unsendable') resolve(false);
    else if (message.type === 'stopped') close(message.durationMs);
    else if (message.type === 'receipt') finish(message.durationMs);
    else if (message.type === 'failed') {
      // A take that held no sound at all is gone now.
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

/**
 * How many takes are recovered at the same time: one that the network holds up must not keep the journal of
 * another open.
 */
const atOnce = 3;

export interface Recovery {
  /**
   * Looks for takes to recover, also those that could not be before: at the start, and with another session.
   * Resolves when none is left.
   */
  run: () => Promise<void>;
  /**
   * Looks for takes that have lost their writer since; one that this page could do nothing for waits for the
   * next `run`.
   */
  look: () => Promise<void>;
  /** Leaves a take to somebody else: it goes on, in this page. Resolves when its worker is ended. */
  leave: (takeId: string) => Promise<void>;
  /** Nobody goes on with it any more: it is looked for again. */
  takeBack: (takeId: string) => void;
}

/** Looks for takes without a page or a receipt and recovers them, a few at a time, without a question. */
export function createRecovery(deps: RecoveryDeps): Recovery {
  const underWay = new Map<string, { isDone: Promise<void>; ending: AbortController }>();
  const left = new Set<string>();
  /** Once per run: tabs that can do nothing for a take must not hand it to each other for ever. */
  const tried = new Set<string>();
  let looking = Promise.resolve();

  const recoverOne = async (record: TakeRecord, signal: AbortSignal) => {
    const isElsewhere = await recoverTake(record, deps, signal);
    if (isElsewhere) tried.delete(record.id);
    underWay.delete(record.id);
    if (!isElsewhere) void look();
  };
  const lookOnce = async () => {
    const { records, heldTakeIds } = await deps.readDevice();
    const lost = takesToRecover(
      records,
      { userId: deps.registry.userId(), heldTakeIds },
      deps.mayClaim,
    ).filter(({ id }) => !tried.has(id) && !underWay.has(id) && !left.has(id));
    for (const record of lost.slice(0, Math.max(0, atOnce - underWay.size))) {
      tried.add(record.id);
      const ending = new AbortController();
      underWay.set(record.id, { ending, isDone: recoverOne(record, ending.signal) });
    }
  };
  const look = () => {
    looking = looking.then(lookOnce);
    return looking;
  };

  return {
    look,
    leave: async (takeId) => {
      left.add(takeId);
      const work = underWay.get(takeId);
      work?.ending.abort();
      await work?.isDone;
    },
    takeBack: (takeId) => {
      left.delete(takeId);
      tried.delete(takeId);
    },
    run: async () => {
      tried.clear();
      await look();
      while (underWay.size > 0) {
        await Promise.race(Array.from(underWay.values(), ({ isDone }) => isDone));
        await looking;
      }
    },
  };
}
