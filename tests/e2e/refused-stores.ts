import type { BrowserContext } from '@playwright/test';

// What a browser answers whose stores are blocked: each store is there, and each use of it is refused.

const refuse = "() => { throw new DOMException('The request was denied.', 'SecurityError'); }";
const refuseLater = "() => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))";

export const refuseFiles = `StorageManager.prototype.getDirectory = ${refuseLater};`;
export const refuseDatabases = `IDBFactory.prototype.open = ${refuse};`;

/** Every store but cookies. */
const refuseAll = `${refuseFiles} ${refuseDatabases}
  LockManager.prototype.request = ${refuseLater};
  LockManager.prototype.query = ${refuseLater};
  globalThis.BroadcastChannel = class { constructor() { (${refuse})(); } };
  for (const name of ['localStorage', 'sessionStorage']) if (name in globalThis) Object.defineProperty(globalThis, name, { get: ${refuse} });`;

/** The browser's own answers to the thread of a take that wants to store something, given in its place. */
export async function refuseInWorker(context: BrowserContext, refusal: string): Promise<void> {
  await context.route(/take\.worker/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: `${refusal}${await reply.text()}` });
  });
}

/** Refuses all stores but cookies, in pages and in the thread of a take. */
export async function refuseAllStores(context: BrowserContext): Promise<void> {
  await context.addInitScript(refuseAll);
  await refuseInWorker(context, refuseAll);
}
