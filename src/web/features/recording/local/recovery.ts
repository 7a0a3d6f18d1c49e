import type { FromEncodeWorker } from '#workers/encode/messages.ts';
import type { TakeRecord } from '#workers/encode/take-record.ts';
import type { TakeWorker, TakeWorkerEvents } from '../devices/take-worker.ts';
import { createAttachment, type TakeRegistry } from '../take/attachment.ts';
import { takesToRecover } from './recovery-plan.ts';

/** A take that a dying page left open, now closed in order and whole up to its last flushed page. */
export interface RecoveredTake { id: string; title: string; startedAtMs: number; durationMs: number }

export interface RecoveryDeps {
  listTakes: () => Promise<readonly TakeRecord[]>;
  heldTakeIds: () => Promise<ReadonlySet<string>>;
  startTakeWorker: (events: TakeWorkerEvents) => TakeWorker;
  registry: TakeRegistry;
  onChange: (takeId: string) => void;
  onRecovered: (take: RecoveredTake) => void;
  onReceipt: (takeId: string) => void;
}

/** Closes and sends one take; resolves when it is on the server, or when nothing more can be done for it now; true when another tab has it. */
function recoverTake(record: TakeRecord, deps: RecoveryDeps): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let ownerId = record.ownerId;
  let isClosed = record.state === 'stopped';
  let isHomeless = false;
  let isTold = record.state !== 'recording';
  /** Nothing is said of a take without any sound. */
  const tell = (durationMs: number) => {
    if (isTold || durationMs === 0) return;
    isTold = true;
    deps.onRecovered({ id: record.id, title: record.title, startedAtMs: record.startedAtMs, durationMs });
  };
  const leaveIfHomeless = () => { if (isClosed && isHomeless) resolve(false); };
  const attachment = createAttachment({
    take: () => ({ ...record, ownerId }),
    onAttached: (userId, upload) => {
      ownerId = userId;
      isHomeless = false;
      worker.post({ type: 'attach', ownerId: userId, upload });
    },
    onHomeless: () => {
      isHomeless = true;
      leaveIfHomeless();
    },
  }, deps.registry);

  const handle = (message: FromEncodeWorker) => {
    switch (message.type) {
      case 'attach-needed': attachment.need(); break;
      case 'stopped':
        isClosed = true;
        tell(message.durationMs);
        deps.onChange(record.id);
        leaveIfHomeless();
        break;
      case 'receipt':
        tell(message.durationMs);
        deps.onReceipt(record.id);
        deps.onChange(record.id);
        resolve(false);
        break;
      case 'failed':
        // A take that held no sound at all is gone now.
        deps.onChange(record.id);
        resolve(message.code === 'locked');
        break;
      case 'started': case 'level': case 'progress': case 'markers': break;
    }
  };
  const worker = deps.startTakeWorker({ onMessage: handle, onBroken: () => { resolve(false); } });
  worker.post({ type: 'recover', takeId: record.id });
  return promise.finally(() => {
    attachment.close();
    worker.terminate();
  });
}

/** So many are brought home side by side: one that the network holds up must not keep the journal of another open. */
const atOnce = 3;

export interface Recovery {
  /** Looks for takes to bring home, also those that could not be before: at the start, and with another session. Resolves when none is left. */
  run: () => Promise<void>;
  /** Looks for takes that have lost their writer since; one that this page could do nothing for waits for the next `run`. */
  look: () => Promise<void>;
}

/** Looks for takes without a page or a receipt and brings them home, a few at a time, without a question. */
export function createRecovery(deps: RecoveryDeps): Recovery {
  const underWay = new Map<string, Promise<void>>();
  /** Once per run: tabs that can do nothing for a take must not hand it to each other for ever. */
  const tried = new Set<string>();
  let looking = Promise.resolve();

  const bringHome = async (record: TakeRecord) => {
    const isElsewhere = await recoverTake(record, deps);
    if (isElsewhere) tried.delete(record.id);
    underWay.delete(record.id);
    if (!isElsewhere) void look();
  };
  const lookOnce = async () => {
    const [records, heldTakeIds] = await Promise.all([deps.listTakes(), deps.heldTakeIds()]);
    const lost = takesToRecover(records, { userId: deps.registry.userId(), heldTakeIds }).filter(({ id }) => !tried.has(id) && !underWay.has(id));
    for (const record of lost.slice(0, Math.max(0, atOnce - underWay.size))) {
      tried.add(record.id);
      underWay.set(record.id, bringHome(record));
    }
  };
  const look = () => {
    looking = looking.then(lookOnce);
    return looking;
  };

  return {
    look,
    run: async () => {
      tried.clear();
      await look();
      while (underWay.size > 0) {
        await Promise.race(underWay.values());
        await looking;
      }
    },
  };
}
