import { Plural, Trans } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { isVisibleTo, viewer } from '#device/takes/viewer.ts';
import { dismissRecovered, recoveredTakes } from '#web/features/recorder/recovery/recovered-takes.ts';
import { continueTake } from '#web/features/recorder/continue-take.ts';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isInProgress } from '#web/features/recorder/take/take.ts';
import styles from './notices.module.css';

/** Lists the takes that an unexpectedly closed page left open, and how much of them is safe. */
export function RecoveredNotice() {
  const viewing = useStore(viewer);
  const isBusy = isInProgress(useTake());
  const onDevice = useStore(deviceTakes).takes;
  // It may have been moved to the trash, or deleted, since it was recovered, also on another device.
  const isLost = ({ id }: { id: string }): boolean =>
    onDevice.some((take) => take.id === id && (take.deletedAtMs !== null || 'blockReason' in take.facts));
  const recovered = useStore(recoveredTakes)
    .filter((take) => isVisibleTo(take, viewing) && !isLost(take))
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs);
  const format = useFormat();
  const [first] = recovered;
  if (!first) return null;
  const time = format.time(first.startedAtMs);
  const length = first.durationMs === null ? null : format.duration(first.durationMs);
  const more = recovered.length - 1;
  const dismissAll = () => {
    for (const { id } of recovered) dismissRecovered(id);
  };
  return (
    <Notice
      tone="safe"
      className={styles.notice}
      title={
        length === null ? (
          <Trans>A recording started at {time} was interrupted. It’s safe.</Trans>
        ) : (
          <Trans>
            A recording started at {time} was interrupted. {length} is safe.
          </Trans>
        )
      }
      action={
        <>
          {!isBusy && first.canContinue && (
            <Button
              onPress={() => {
                continueTake({ id: first.id, lengthMs: first.durationMs });
              }}
            >
              <Trans>Continue recording</Trans>
            </Button>
          )}
          <LinkButton href={`/recordings/${first.id}`}>
            <Trans>Listen</Trans>
          </LinkButton>
          <Button variant="plain" onPress={dismissAll}>
            <Trans>OK</Trans>
          </Button>
        </>
      }
    >
      <Trans>
        This page was closed during the recording. Everything up to that moment is in your library.
      </Trans>
      {more > 0 && (
        <>
          {' '}
          <Plural
            value={more}
            one="# more recording was recovered."
            other="# more recordings were recovered."
          />
        </>
      )}
    </Notice>
  );
}
