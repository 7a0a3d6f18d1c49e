/**
 * What a page tells a service worker. `take-over` goes to one that waits: the person wants the new version
 * now. `is-yours` asks whether the page's first script belongs to its build; the answer, a boolean, comes
 * through the port that is sent along.
 */
export type ToServiceWorker = { type: 'take-over' } | { type: 'is-yours'; script: string };

/** Where the service worker's script lies; its folder is the scope, so it stands at the root. */
export const serviceWorkerUrl = '/service.worker.js';

/** Why files that another app or page handed over were not stored. */
export type ShareRejection = 'not-kept' | 'too-much' | 'foreign-page';

/** How the address of the library ends where files that were handed over were not stored. */
export const rejectionHash: Record<ShareRejection, string> = {
  'not-kept': '#not-kept',
  'too-much': '#too-much-shared',
  'foreign-page': '#foreign-share',
};
