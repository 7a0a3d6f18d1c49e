import { Suspense } from 'react';
import { useSession } from '#web/api/session.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { StorageUse } from '#web/features/account-data/storage-use.tsx';
import { StoredOnDevice } from '#web/features/recorder/device-storage/stored-on-device.tsx';
import { DeviceOnlyNotice } from '#web/request-states/unreachable-notice.tsx';
import { useReachableSession } from '#web/app/use-reachable-session.ts';
import { LazyOtherTabNotice } from './other-tab-notice.tsx';
import { dropCopies, localTakeActions } from './local-take-actions.ts';

/** The data stored on this device and on the server. */
export function StorageSection() {
  const { user } = useSession();
  const { isCutOff } = useReachableSession();
  const { moveToTrash } = useRecordingActions(localTakeActions);
  return (
    <>
      <Suspense>
        <LazyOtherTabNotice />
      </Suspense>
      <StoredOnDevice onMoveToTrash={moveToTrash} />
      {isCutOff && <DeviceOnlyNotice />}
      {user && <StorageUse onPurged={dropCopies} />}
    </>
  );
}
