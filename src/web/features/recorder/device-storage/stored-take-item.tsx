import { useId } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Download, Trash2, X } from 'lucide-react';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { titleText } from '#web/recordings/time/title-text.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { PlayLink } from '#web/features/recorder/play-link.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { StatePill } from '#web/recordings/state/state-pill.tsx';
import { exportTake, removeLocalCopy } from './copies.ts';
import { DeleteBlocked } from './delete-blocked.tsx';
import { SaveToLibrary } from './save-to-library.tsx';
import type { DeviceTake } from '#device/takes/device-take.ts';
import { isBlocked, type RecordingState } from '#device/takes/recording-state.ts';
import styles from './device-storage.module.css';

export interface StoredTakeItemProps {
  take: DeviceTake;
  state: RecordingState;
  onMoveToTrash: (take: DeviceTake) => void;
}

/** A recording on this device and its actions. */
export function StoredTakeItem({ take, state, onMoveToTrash }: StoredTakeItemProps) {
  const format = useFormat();
  const titleId = useId();
  const { id, startedAtMs, durationMs, sizeBytes } = take;
  return (
    <li aria-labelledby={titleId} className={styles.row}>
      <div className={styles.text}>
        <strong id={titleId} className={styles.title}>
          <RecordingTitle of={take} />
        </strong>
        <p className={styles.meta}>
          <time dateTime={new Date(startedAtMs).toISOString()}>{format.dateTime(startedAtMs)}</time>
          {durationMs === null ? (
            <span>
              <Trans>Length not known yet</Trans>
            </span>
          ) : (
            <Timecode ms={durationMs} />
          )}
          <span>{format.fileSize(sizeBytes)}</span>
        </p>
        <StateLine take={take} state={state} />
      </div>
      {state !== 'recording-here' && (
        <div className={styles.actions}>
          <PlayLink id={id} variant="plain" />
          {state === 'deleted-elsewhere' && take.facts.owner === 'me' && (
            <SaveToLibrary take={take} titleId={titleId} />
          )}
          <ExportButton take={take} titleId={titleId} />
          <RemoveButton take={take} state={state} titleId={titleId} onMoveToTrash={onMoveToTrash} />
        </div>
      )}
    </li>
  );
}

function StateLine({ take: { copyUntilMs }, state }: Pick<StoredTakeItemProps, 'take' | 'state'>) {
  const format = useFormat();
  const date = copyUntilMs === null ? null : format.date(copyUntilMs);
  return (
    <p className={styles.state}>
      <StatePill state={state} />
      {date !== null && (
        <span className={styles.note}>
          <Trans>Copy on this device until {date}</Trans>
        </span>
      )}
    </p>
  );
}

function ExportButton({ take, titleId }: { take: DeviceTake; titleId: string }) {
  const save = useAction(() => exportTake(take));
  return (
    <Button
      variant="plain"
      icon={<Download aria-hidden />}
      aria-describedby={titleId}
      isPending={save.isPending}
      onPress={save.run}
    >
      <Trans>Save as file</Trans>
    </Button>
  );
}

/** Removes a copy immediately, because the server has the recording. Moves any other recording to the trash. */
function RemoveButton({ take, state, titleId, onMoveToTrash }: StoredTakeItemProps & { titleId: string }) {
  const { t } = useLingui();
  const name = iso(titleText(take));
  const removeCopy = useAction(async () => {
    await removeLocalCopy(take.id);
    showToast({
      message: () =>
        t`The copy of “${name}” was removed from this device. The recording is still on the server.`,
      tone: 'success',
    });
  });
  if (state === 'server')
    return (
      <Button
        variant="plain"
        data-ends
        icon={<X aria-hidden />}
        aria-describedby={titleId}
        onPress={removeCopy.run}
      >
        <Trans>Remove copy</Trans>
      </Button>
    );
  if (isBlocked(state)) return <DeleteBlocked takeId={take.id} titleId={titleId} />;
  return (
    <Button
      variant="plain"
      data-ends
      icon={<Trash2 aria-hidden />}
      aria-describedby={titleId}
      onPress={() => onMoveToTrash(take)}
    >
      <Trans>Move to trash</Trans>
    </Button>
  );
}
