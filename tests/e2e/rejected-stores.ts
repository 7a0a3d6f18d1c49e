import type { BrowserContext } from '@playwright/test';

// What a browser answers whose stores are blocked: each store is there, and each use of it is refused.

const reject = "() => { throw new DOMException('The request was denied.', 'SecurityError'); }";
const rejectLater = "() => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))";

export const rejectFiles = `StorageManager.prototype.getDirectory = ${rejectLater};`;
export const rejectDatabases = `IDBFactory.prototype.open = ${reject};`;

/** Every store but cookies. */
const rejectAll = `${rejectFiles} ${rejectDatabases}
  LockManager.prototype.request = ${rejectLater};
  LockManager.prototype.query = ${rejectLater};
  globalThis.BroadcastChannel = class { constructor() { (${reject})(); } };
  for (const name of ['localStorage', 'sessionStorage']) if (name in globalThis) Object.defineProperty(globalThis, name, { get: ${reject} });`;

/** The browser's own answers to the thread of a take that wants to store something, given in its place. */
export async function rejectInWorker(context: BrowserContext, rejection: string): Promise<void> {
  await context.route(/take\.worker/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: `${rejection}${await reply.text()}` });
  });
}

/** Refuses all stores but cookies, in pages and in the thread of a take. */
export async function rejectAllStores(context: BrowserContext): Promise<void> {
  await context.addInitScript(rejectAll);
  await rejectInWorker(context, rejectAll);
}
