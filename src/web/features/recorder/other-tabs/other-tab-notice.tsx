import { Trans } from '@lingui/react/macro';
import { whenWriterEnds } from '#device/takes/recording-lock.ts';
import { isVisibleTo, viewer } from '#device/takes/viewer.ts';
import { ownerName } from '#web/recordings/owners/owner-name.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import styles from '#web/features/recorder/notices/notices.module.css';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isInProgress } from '#web/features/recorder/take/take.ts';
import { followOtherTabs } from './follow-other-tabs.ts';
import { tabsChannel } from './tabs-channel.ts';
import { secondTake, takeOfOtherTab, type TakeOfOtherTab } from './take-of-other-tab.ts';

followOtherTabs(tabsChannel, whenWriterEnds);

/** Of a take of another account only whose it is and how long. */
function Title({ take: { takeId, ownerId } }: { take: TakeOfOtherTab }) {
  const viewing = useStore(viewer);
  if (ownerId === null || isVisibleTo({ id: takeId, ownerId }, viewing))
    return <Trans>Recording in another tab</Trans>;
  const name = ownerName(ownerId);
  return name === null ? (
    <Trans>A recording of another account is running in another tab</Trans>
  ) : (
    <Trans>A recording of {name} is running in another tab</Trans>
  );
}

/** Says that another tab of this browser records, and stops it. Renders nothing if none does, or if this one does. */
export function OtherTabNotice() {
  const take = useStore(takeOfOtherTab);
  const isRecordingHere = isInProgress(useTake());
  if (take === null || isRecordingHere) return null;
  return (
    <>
      <SecondTakeQuestion />
      <div className={styles.otherTab}>
        <span>
          <strong>
            <Title take={take} />
          </strong>
          {' · '}
          <Timecode ms={take.capturedMs} />
          {take.isPaused && (
            <>
              {' · '}
              <Trans>Paused</Trans>
            </>
          )}
        </span>
        <Button data-ends onPress={() => tabsChannel.post({ type: 'stop', takeId: take.takeId })}>
          <Trans>Stop</Trans>
        </Button>
      </div>
    </>
  );
}

/** Asks before this tab records beside another one. */
function SecondTakeQuestion() {
  const start = useStore(secondTake);
  if (start === null) return null;
  return (
    <ConfirmDialog
      title={<Trans>Record in this tab too?</Trans>}
      action={<Trans>Record</Trans>}
      onConfirm={start}
      onClose={() => secondTake.set(null)}
    >
      <Trans>Another tab of this browser is recording. You would get two recordings.</Trans>
    </ConfirmDialog>
  );
}
