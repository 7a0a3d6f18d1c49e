import { useEffect } from 'react';
import { useMediaQuery } from '#web/ui/hooks/use-media-query.ts';
import { resumeImports } from '#web/features/imports/importer/resume-imports.ts';
import { useIncomingFiles } from '#web/features/imports/importer/use-incoming-files.ts';
import { DropTarget } from './drop-target.tsx';
import { ImportTray } from './import-tray.tsx';

/**
 * The import UI over any screen. The first screen does not load it.
 * @param props.isRecorder whether the recorder is on the screen, or a take runs
 * @param props.pathname the page below it
 */
export function ImportOverlays({ isRecorder, pathname }: { isRecorder: boolean; pathname: string }) {
  const isPhone = useMediaQuery('(width <= 760px)');
  const isDragging = useIncomingFiles();
  useEffect(() => {
    void resumeImports();
  }, []);
  return (
    <>
      <ImportTray isCovering={isPhone || isRecorder} pathname={pathname} />
      {isDragging && <DropTarget />}
    </>
  );
}
