import { i18n } from '@lingui/core';
import { session } from '#web/api/session.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';

const checked = new WeakSet<HTMLAnchorElement>();

const isOfServer = ({ href }: HTMLAnchorElement): boolean =>
  new URL(href).origin === location.origin && new URL(href).pathname.startsWith('/api/');

async function downloadChecked(link: HTMLAnchorElement): Promise<void> {
  try {
    await session.refresh();
  } catch (error) {
    showFailure(() => i18n._(messageOf(error)));
    return;
  }
  checked.add(link);
  link.click();
  checked.delete(link);
}

/**
 * Checks that the server can be reached before the browser downloads from it. If a proxy responded instead, the
 * browser would save its page under the recording's name, or navigate to it and end a running take.
 */
export function checkDownloads(): void {
  document.addEventListener(
    'click',
    (event) => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null;
      if (link === null || checked.has(link) || !isOfServer(link)) return;
      event.preventDefault();
      void downloadChecked(link);
    },
    { capture: true },
  );
}
