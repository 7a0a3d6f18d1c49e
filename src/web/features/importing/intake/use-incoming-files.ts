import { useEffect, useState } from 'react';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { notKept } from '#workers/shell/messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { startImporting } from '../importing.ts';
import { filesOf, hasFiles } from './chosen-files.ts';
import { askForSender, takeIn } from './take-in.ts';

function takeTransfer(event: Event, transfer: DataTransfer): void {
  event.preventDefault();
  filesOf(transfer).then(takeIn, () => undefined);
}

/** A browser that keeps nothing was handed nothing; one that had no room for it says so. */
async function takeWhatWasShared(): Promise<void> {
  if (location.hash === notKept) {
    history.replaceState(history.state, '', location.pathname);
    showFailure(i18n._(msg`What was shared could not be kept on this device. Press “Import files” and choose it there.`));
  }
  if (await startImporting() > 0) askForSender();
}

/**
 * Takes in files wherever they are dropped or pasted, and those that another app shared.
 * @returns whether files are being dragged over the window
 */
export function useIncomingFiles(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const over = (event: DragEvent) => {
      // What is dragged within the page, as text from a field, is none of ours.
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setDragging(true);
    };
    const leave = (event: DragEvent) => { if (event.relatedTarget === null) setDragging(false); };
    const drop = (event: DragEvent) => {
      setDragging(false);
      if (hasFiles(event.dataTransfer)) takeTransfer(event, event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => { if (hasFiles(event.clipboardData) && event.clipboardData.files.length > 0) takeTransfer(event, event.clipboardData); };
    addEventListener('dragenter', over, { signal });
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    addEventListener('paste', paste, { signal });
    void takeWhatWasShared();
    return () => { ending.abort(); };
  }, []);
  return isDragging;
}
