import { useEffect, useState } from 'react';
import { filesOf, hasFiles, isPasteOfFiles } from './chosen-files.ts';
import { startImports } from './start-imports.ts';

function takeTransfer(event: Event, transfer: DataTransfer): void {
  event.preventDefault();
  void filesOf(transfer).then(startImports);
}

/**
 * Imports files that are dropped or pasted anywhere.
 * @returns whether files are being dragged over the window
 */
export function useIncomingFiles(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const over = (event: DragEvent) => {
      // Drags within the page, such as text from a field, are ignored.
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent) => {
      setDragging(false);
      if (hasFiles(event.dataTransfer)) takeTransfer(event, event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      if (event.clipboardData && isPasteOfFiles(event)) takeTransfer(event, event.clipboardData);
    };
    addEventListener('dragenter', over, { signal });
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    addEventListener('paste', paste, { signal });
    return () => {
      ending.abort();
    };
  }, []);
  return isDragging;
}
