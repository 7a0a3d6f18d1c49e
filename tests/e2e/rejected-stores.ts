import type { BrowserContext } from '@playwright/test';

// How a browser with blocked storage responds: each API exists, and each use of it throws.

const reject = "() => { throw new DOMException('The request was denied.', 'SecurityError'); }";
const rejectLater = "() => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))";

export const rejectFiles = `StorageManager.prototype.getDirectory = ${rejectLater};`;
export const rejectDatabases = `IDBFactory.prototype.open = ${reject};`;

/** Every kind of storage but cookies. */
const rejectAll = `${rejectFiles} ${rejectDatabases}
  LockManager.prototype.request = ${rejectLater};
  LockManager.prototype.query = ${rejectLater};
  globalThis.BroadcastChannel = class { constructor() { (${reject})(); } };
  for (const name of ['localStorage', 'sessionStorage']) if (name in globalThis) Object.defineProperty(globalThis, name, { get: ${reject} });`;

/** Injects the browser's errors into the take worker. */
export async function rejectInWorker(context: BrowserContext, rejection: string): Promise<void> {
  await context.route(/take\.worker/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: `${rejection}${await reply.text()}` });
  });
}

/** Blocks all storage but cookies, in pages and in the take worker. */
export async function rejectAllStores(context: BrowserContext): Promise<void> {
  await context.addInitScript(rejectAll);
  await rejectInWorker(context, rejectAll);
}
