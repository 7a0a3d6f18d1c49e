import { backgroundChunk, lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';

/** What the layout opens or needs after the first screen. */
export const layoutChunks = {
  languagePopover: lazyChunk(() => import('./language-popover.tsx')),
  signOutQuestion: lazyChunk(() => import('./sign-out-question.tsx')),
  offline: backgroundChunk(() => import('#web/offline/start-offline.ts')),
  errorMessages: lazyChunk(() => import('#web/api/error-messages.ts')),
};
