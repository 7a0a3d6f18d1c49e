import { lazy, Suspense } from 'react';
import type { DialogProps } from './dialog-props.ts';

const loadFrame = () => import('./dialog-frame.tsx');
const DialogFrame = lazy(async () => ({ default: (await loadFrame()).DialogFrame }));

/** Fetches the code of dialogs ahead of the first one. */
export const preloadDialog = async (): Promise<void> => {
  await loadFrame();
};

/**
 * A modal dialog over any screen; on phones a sheet at the lower edge. Its code is fetched with the first one
 * that opens.
 */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null;
  return (
    <Suspense>
      <DialogFrame {...props} />
    </Suspense>
  );
}
