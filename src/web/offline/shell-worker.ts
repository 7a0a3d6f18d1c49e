import { second } from '#base/duration.ts';
import { serviceWorkerUrl, type ToServiceWorker } from '#workers/service-worker/messages.ts';
import { connection } from '#web/api/connection/connection.ts';
import { createStore, type Store } from '#base/store.ts';
import { retryBuild } from './retry-build.ts';
import { hasUnfinishedTake } from './unfinished-takes.ts';

/**
 * A build newer than this page's. `waiting` is the worker that has its files and takes over on request; null if it
 * already has taken over, or if there is none.
 */
export interface NewVersion {
  waiting: ServiceWorker | null;
}

const newVersion = createStore<NewVersion | null>(null);

/** The newer build that a reload would load, or null. */
export const newVersionStore: Store<NewVersion | null> = newVersion;

/** The server no longer has this page's files. Only a reload gets matching ones. */
export function markPageStale(): void {
  if (newVersion.getSnapshot() === null) newVersion.set({ waiting: null });
}

/**
 * Checks whether a newer build's service worker took over while this page was loading, before there was a
 * listener.
 */
function checkStale(controller: ServiceWorker): void {
  const script = document.querySelector<HTMLScriptElement>('head > script[type="module"][src]')?.src;
  if (script === undefined) return;
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener(
    'message',
    ({ data }) => {
      if (data === false) markPageStale();
      port1.close();
    },
    { once: true },
  );
  port1.start();
  const question: ToServiceWorker = { type: 'is-yours', script };
  controller.postMessage(question, [port2]);
}

function follow(registration: ServiceWorkerRegistration): void {
  const checkWaiting = () => {
    const { active, waiting } = registration;
    // The very first service worker replaces none, so there is nothing to offer.
    if (active && waiting && newVersion.getSnapshot()?.waiting !== waiting) newVersion.set({ waiting });
  };
  const { controller } = navigator.serviceWorker;
  // A worker that takes over from another one belongs to a newer build than the page.
  if (controller) {
    navigator.serviceWorker.addEventListener('controllerchange', markPageStale);
    checkStale(controller);
  }
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', checkWaiting);
  });
  checkWaiting();
}

/**
 * Registers a service worker that stores the app on this device, so that it opens without a network. Changes
 * nothing in a browser without service workers.
 */
export async function installShell(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register(serviceWorkerUrl, { updateViaCache: 'none' });
    follow(registration);
    retryBuild(registration, connection);
  } catch {
    // A private window or a policy forbids it, or the server is unreachable. The app works, but only with a
    // network.
  }
}

/** A take that has started since prevents the reload. The offer stays. */
async function reloadUnlessNeeded(): Promise<void> {
  if (!(await hasUnfinishedTake())) location.reload();
}

/** The longest wait for a newer build to take over before the page is reloaded anyway. */
const takeOverMs = 2 * second;

/**
 * Opens the newer build in this tab. Other tabs keep theirs. Chromium sometimes leaves a service worker waiting
 * although it was asked to take over and the one before is idle (once in about 25 times on a busy machine).
 * Leaving the page wakes it.
 */
export function openNewVersion({ waiting }: NewVersion): void {
  const reload = () => {
    void reloadUnlessNeeded();
  };
  if (!waiting || waiting.state === 'redundant' || waiting.state === 'activated') return reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  setTimeout(reload, takeOverMs);
  const takeOver: ToServiceWorker = { type: 'take-over' };
  waiting.postMessage(takeOver);
}
