/**
 * Messages from a page to a service worker. `take-over` goes to a waiting worker when the user wants the new
 * version now. `is-yours` checks whether the page's first script belongs to the worker's build; the reply, a
 * boolean, comes through the transferred port.
 */
export type ToServiceWorker = { type: 'take-over' } | { type: 'is-yours'; script: string };

/** The URL of the service worker's script. Its folder is the scope, so it is at the root. */
export const serviceWorkerUrl = '/service.worker.js';

/** Why files shared by another app or page were not stored. */
export type ShareRejection = 'not-stored' | 'too-much' | 'foreign-page';

/** The fragment of the library's URL after shared files were not stored. */
export const rejectionHash: Record<ShareRejection, string> = {
  'not-stored': '#not-stored',
  'too-much': '#too-much-shared',
  'foreign-page': '#foreign-share',
};
