import { useEffect } from 'react';
import { takeUpImports } from './intake/take-up.ts';
import { useIncomingFiles } from './intake/use-incoming-files.ts';
import { DropTarget } from './screen/drop-target.tsx';
import { ImportTray } from './screen/import-tray.tsx';

/** What importing shows over any screen; the first screen comes up without it. */
export function ImportLate() {
  const isDragging = useIncomingFiles();
  useEffect(() => { void takeUpImports(); }, []);
  return (
    <>
      <ImportTray />
      {isDragging && <DropTarget />}
    </>
  );
}
