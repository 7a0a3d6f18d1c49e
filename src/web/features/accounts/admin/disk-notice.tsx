import { Trans } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useInstallation } from './use-installation.ts';

/** For admins: the reserve of the disk is touched. Shows nothing while there is enough space. */
export function DiskNotice() {
  const format = useFormat();
  const disk = useInstallation()?.disk;
  if (!disk?.isTouched || disk.freeBytes === null) return null;
  const free = format.fileSize(disk.freeBytes);
  const reserved = format.fileSize(disk.reserveBytes);
  return (
    <Notice tone="danger" role="alert">
      <p>
        <Trans>
          The server’s disk is almost full. Recordings in progress are still saved. Imports, restores and
          exports wait until there’s space.
        </Trans>
      </p>
      <p>
        <Trans>
          Free: {free}. Reserved for recordings in progress: {reserved}.
        </Trans>
      </p>
    </Notice>
  );
}
