import { Suspense } from 'react';
import { backgroundChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import type { DialogProps } from './dialog-props.ts';

// A dialog may show what is shown only once, so a failure does not close it.
const frame = backgroundChunk(() => import('./dialog-frame.tsx'));
const DialogFrame = frame.component((chunk) => chunk.DialogFrame);

/** Loads the code of dialogs before the first one opens. */
export const preloadDialog = frame.load;

/** A modal dialog over any screen; on phones a sheet at the bottom. Its code loads with the first one. */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null;
  return (
    <Suspense>
      <DialogFrame {...props} />
    </Suspense>
  );
}
