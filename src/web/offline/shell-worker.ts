import { second } from '#base/duration.ts';
import { serviceWorkerUrl, type ToServiceWorker } from '#workers/service-worker/messages.ts';
import { connection } from '#web/api/connection/connection.ts';
import { createStore, type Store } from '#base/store.ts';
import { retryBuild } from './retry-build.ts';
import { hasUnfinishedTake } from './unfinished-takes.ts';

/**
 * A build newer than this page's. `waiting` holds its files and takes over when told to; null where it
 * already has, or none runs.
 */
export interface NewVersion {
  waiting: ServiceWorker | null;
}

const newVersion = createStore<NewVersion | null>(null);

/** The newer build a reload would bring, or null. */
export const newVersionStore: Store<NewVersion | null> = newVersion;

/** This page's own files are gone from the server: only a reload brings the ones that fit it. */
export function markPageStale(): void {
  if (newVersion.getSnapshot() === null) newVersion.set({ waiting: null });
}

/**
 * A newer build's service worker may have taken over while this page was being opened, before anybody
 * listened.
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
  const look = () => {
    const { active, waiting } = registration;
    // The very first one waits for nobody.
    if (active && waiting && newVersion.getSnapshot()?.waiting !== waiting) newVersion.set({ waiting });
  };
  const { controller } = navigator.serviceWorker;
  // One that takes over a page which another had before: the page is the older one's.
  if (controller) {
    navigator.serviceWorker.addEventListener('controllerchange', markPageStale);
    checkStale(controller);
  }
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  look();
}

/**
 * Lets a service worker keep the app on this device, so that it opens without a network. Where there can be
 * none, nothing changes.
 */
export async function installShell(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register(serviceWorkerUrl, { updateViaCache: 'none' });
    follow(registration);
    retryBuild(registration, connection);
  } catch {
    // A private window or a policy forbids it, or the server has just gone: the app works as before, with a
    // network.
  }
}

/** Whoever began to record since keeps the page; the offer is made again. */
async function reloadUnlessNeeded(): Promise<void> {
  if (!(await hasUnfinishedTake())) location.reload();
}

/** How long a newer build may take to take over before the page is opened again all the same. */
const takeOverMs = 2 * second;

/**
 * Opens the newer build in this tab. Other tabs go on with what they have. Chromium now and then leaves a
 * service worker waiting although it was told to take over and the one before is idle (once in some 25 times
 * on a busy machine); the page's leaving wakes it.
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
