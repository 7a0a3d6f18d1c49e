/** What a page tells the service worker that waits: the person wants the new version now. */
export interface ToServiceWorker { type: 'take-over' }

/** Where the service worker's script lies; its folder is the scope, so it stands at the root. */
export const serviceWorkerUrl = '/service.worker.js';

/** What the address of the library ends in where this device could not keep what another app shared. */
export const notKept = '#not-kept';
