import { Plural, Trans } from '@lingui/react/macro';
import type { DeviceTake } from '#device/takes/device-take.ts';
import { useDeviceTakes, useTrashedDeviceTakes } from '#web/recordings/state/use-device-takes.ts';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** The most titles that the dialog lists. */
const listedMax = 5;

const isUnsent = ({ facts }: DeviceTake): boolean => facts.owner === 'me' && facts.receipt === 'none';

/**
 * The takes of the signed-in user in this browser: whether one runs in any tab, and those of which the server lacks a
 * part, apart by whether they are in the trash.
 */
export function useOwnTakes(): { isRunning: boolean; unsent: DeviceTake[]; unsentTrashed: DeviceTake[] } {
  const takes = useDeviceTakes();
  return {
    isRunning: takes.some(({ facts }) => facts.owner === 'me' && facts.isCapturing),
    unsent: takes.filter(isUnsent),
    unsentTrashed: useTrashedDeviceTakes().filter(isUnsent),
  };
}

/** Names what a deletion of the account takes that only this device has. */
export function UnsentTakes({
  unsent,
  unsentTrashed,
}: Pick<ReturnType<typeof useOwnTakes>, 'unsent' | 'unsentTrashed'>) {
  const more = unsent.length - listedMax;
  if (unsent.length + unsentTrashed.length === 0) return null;
  return (
    <Notice tone="warn">
      <Trans>
        Recordings on this device that aren’t on the server yet can’t be opened after the deletion either.
        Save them as files first.
      </Trans>
      <ul>
        {unsent.slice(0, listedMax).map((take) => (
          <li key={take.id}>
            <RecordingTitle of={take} />
          </li>
        ))}
        {more > 0 && (
          <li>
            <Plural value={more} one="and # more" other="and # more" />
          </li>
        )}
        {unsentTrashed.length > 0 && (
          <li>
            <Link href="/trash">
              <Plural
                value={unsentTrashed.length}
                one="# recording in the trash"
                other="# recordings in the trash"
              />
            </Link>
          </li>
        )}
      </ul>
    </Notice>
  );
}
