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

/** For admins: the proxy in front and TRUSTED_PROXY_HOPS do not match. Shows nothing while they do. */
export function ProxyNotice() {
  const proxy = useInstallation()?.proxy ?? null;
  if (proxy === null) return null;
  const { trustedHops, forwardedCount } = proxy;
  return (
    <Notice tone="danger" role="alert">
      <p>
        <Trans>
          Limits on sign-in attempts per network are off: TRUSTED_PROXY_HOPS doesn’t match the proxies in
          front of this server.
        </Trans>
      </p>
      {proxy.problem === 'header-missing' && (
        <p>
          <Trans>The proxy doesn’t send the header X-Forwarded-For. Configure it to send that header.</Trans>
        </p>
      )}
      <p>
        <Trans>
          TRUSTED_PROXY_HOPS: {trustedHops}. Addresses in X-Forwarded-For: {forwardedCount}.
        </Trans>
      </p>
    </Notice>
  );
}
