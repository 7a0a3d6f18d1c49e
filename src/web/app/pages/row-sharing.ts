import type { LibraryScreenProps } from '#web/features/library/screen/library-screen.tsx';
import { SharedSign } from '#web/features/sharing/signs/shared-sign.tsx';
import { openShareSheet } from '#web/features/sharing/signs/open-sheet.ts';
import { titleText } from '#web/recordings/time/title-text.ts';

const isGrowingState = (state: string): boolean =>
  state === 'recording-here' || state === 'recording-elsewhere';

/** Connects the library's rows with sharing. */
export const rowSharing: LibraryScreenProps['sharing'] = {
  SharedSign,
  onShare: (row) => {
    const isGrowing = isGrowingState(row.state);
    openShareSheet({
      recordingId: row.id,
      title: titleText(row),
      durationMs: isGrowing ? null : row.durationMs,
      isGrowing,
      span: null,
    });
  },
};
