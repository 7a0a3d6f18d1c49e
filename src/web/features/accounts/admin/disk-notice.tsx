import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { accountKeys } from '../account-keys.ts';

/** For admins: the reserve of the disk is touched. Shows nothing while there is enough space. */
export function DiskNotice() {
  const format = useFormat();
  const { data } = useQuery({ queryKey: accountKeys.installation, queryFn: ({ signal }) => call('getInstallation', { signal }) });
  if (!data?.disk.isTouched || data.disk.freeBytes === null) return null;
  const free = format.fileSize(data.disk.freeBytes);
  const reserved = format.fileSize(data.disk.reserveBytes);
  return (
    <Notice tone="danger" role="alert">
      <p><Trans>The server’s disk is almost full. Recordings in progress are still stored. Imports, restores and exports wait until there is space.</Trans></p>
      <p><Trans>Free: {free}. Reserved for recordings in progress: {reserved}.</Trans></p>
    </Notice>
  );
}
