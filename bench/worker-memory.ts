import type { BrowserContext, CDPSession, Page } from '@playwright/test';

/** The memory of a page's only dedicated worker. */
export interface WorkerMemory {
  /** JavaScript heap and array buffers after a garbage collection, in MiB. */
  heldMiB(): Promise<number>;
}

interface Reply {
  id: number;
  result?: { usedSize?: number; backingStorageSize?: number };
}

/**
 * Sends commands to one attached target through its parent's session (Chrome DevTools Protocol, Target domain
 * without flatten).
 */
function speakTo(session: CDPSession, sessionId: string): (method: string) => Promise<Reply['result']> {
  const waiting = new Map<number, (result: Reply['result']) => void>();
  let lastId = 0;
  session.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const { id, result } = JSON.parse(event.message) as Reply;
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  return async (method) => {
    lastId += 1;
    const { promise, resolve } = Promise.withResolvers<Reply['result']>();
    waiting.set(lastId, resolve);
    await session.send('Target.sendMessageToTarget', {
      sessionId,
      message: JSON.stringify({ id: lastId, method }),
    });
    return promise;
  };
}

/**
 * Attaches to the worker that the page started last. Each measurement also collects the page's garbage, for the
 * figure of the process.
 */
export async function openWorkerMemory(context: BrowserContext, page: Page): Promise<WorkerMemory> {
  const session = await context.newCDPSession(page);
  const attached: string[] = [];
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') attached.push(sessionId);
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  const sessionId = attached.at(-1);
  if (sessionId === undefined) throw new Error('the page has no worker');
  const ask = speakTo(session, sessionId);
  return {
    async heldMiB() {
      await session.send('HeapProfiler.collectGarbage');
      await ask('HeapProfiler.collectGarbage');
      const held = await ask('Runtime.getHeapUsage');
      return ((held?.usedSize ?? 0) + (held?.backingStorageSize ?? 0)) / 2 ** 20;
    },
  };
}
