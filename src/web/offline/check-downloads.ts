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
 * Asks whether the server can be reached before a browser downloads from it. Where something in front
 * answers, a browser would save that page under the recording's name, or leave this page for it, and end a
 * take that runs here.
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
