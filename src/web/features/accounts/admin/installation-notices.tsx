import { Trans } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useInstallation } from './use-installation.ts';

/** For administrators: the disk's reserve is in use. Renders nothing while there is enough space. */
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

/** For administrators: TRUSTED_PROXY_HOPS does not match the proxies. Renders nothing while it does. */
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
