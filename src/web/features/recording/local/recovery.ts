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

/** Closes and sends one take; resolves when it is on the server, or when nothing more can be done for it now. */
function recoverTake(record: TakeRecord, deps: RecoveryDeps): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let ownerId = record.ownerId;
  let isClosed = record.state === 'stopped';
  let isHomeless = false;
  const leaveIfHomeless = () => { if (isClosed && isHomeless) resolve(); };
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
        if (record.state === 'recording') deps.onRecovered({ id: record.id, title: record.title, startedAtMs: record.startedAtMs, durationMs: message.durationMs });
        deps.onChange(record.id);
        leaveIfHomeless();
        break;
      case 'receipt':
        deps.onReceipt(record.id);
        deps.onChange(record.id);
        resolve();
        break;
      case 'failed':
        // A take that held no sound at all is gone now.
        deps.onChange(record.id);
        resolve();
        break;
      case 'started': case 'level': case 'progress': case 'markers': break;
    }
  };
  const worker = deps.startTakeWorker({ onMessage: handle, onBroken: () => { resolve(); } });
  worker.post({ type: 'recover', takeId: record.id });
  return promise.finally(() => {
    attachment.close();
    worker.terminate();
  });
}

/** Looks for takes without a page or a receipt and brings them home, one after another, without a question. */
export function createRecovery(deps: RecoveryDeps): { run: () => Promise<void> } {
  let running: Promise<void> | null = null;
  let isWantedAgain = false;

  const round = async () => {
    const tried = new Set<string>();
    for (;;) {
      const [records, heldTakeIds] = await Promise.all([deps.listTakes(), deps.heldTakeIds()]);
      const next = takesToRecover(records, { userId: deps.registry.userId(), heldTakeIds }).find(({ id }) => !tried.has(id));
      if (!next) return;
      tried.add(next.id);
      await recoverTake(next, deps);
    }
  };
  const rounds = async () => {
    do {
      isWantedAgain = false;
      await round();
    } while (isWantedAgain);
  };

  return {
    run: () => {
      isWantedAgain = running !== null;
      running ??= rounds().finally(() => { running = null; });
      return running;
    },
  };
}
