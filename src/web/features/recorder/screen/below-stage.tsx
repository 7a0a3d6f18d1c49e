import { NewNote } from '#web/features/recorder/labels/new-note.tsx';
import { OtherTabNotice } from '#web/features/recorder/other-tabs/other-tab-notice.tsx';

/** Between the waveform and the buttons: the note that was just started, and the take of another tab. */
export function BelowStage() {
  return (
    <>
      <NewNote />
      <OtherTabNotice />
    </>
  );
}
