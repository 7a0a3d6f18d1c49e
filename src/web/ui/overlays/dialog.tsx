import { lazy, Suspense } from 'react';
import type { DialogProps } from './dialog-props.ts';

const loadFrame = () => import('./dialog-frame.tsx');
const DialogFrame = lazy(async () => ({ default: (await loadFrame()).DialogFrame }));

/** Loads the code of dialogs before the first one opens. */
export const preloadDialog = async (): Promise<void> => {
  await loadFrame();
};

/** A modal dialog over any screen; on phones a sheet at the bottom. Its code loads with the first one. */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null;
  return (
    <Suspense>
      <DialogFrame {...props} />
    </Suspense>
  );
}
