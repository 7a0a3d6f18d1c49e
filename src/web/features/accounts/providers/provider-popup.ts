const windowName = 'earshot-provider';
const size = { width: 520, height: 680 };

/** A provider's window next to the app. */
export interface ProviderPopup {
  /** Navigates to the provider, unless the browser blocked the window or the user has closed it. */
  goTo(url: string): 'gone' | 'blocked' | 'closed';
  /**
   * Whether the window seems to be closed. Only a hint, because a provider may sever the link between the windows,
   * which makes an open window look closed.
   */
  seemsClosed(): boolean;
  close(): void;
}

/** Phones can't show windows side by side, and a new one would hide the app. */
export function prefersRedirect(): boolean {
  return matchMedia('(pointer: coarse) and (width <= 760px)').matches;
}

/**
 * Opens an empty window immediately. After a request to the server, the browser would no longer treat it as the
 * user's action.
 */
export function openPopup(text: string): ProviderPopup {
  const { width, height } = size;
  const left = Math.round(screenX + (outerWidth - width) / 2);
  const top = Math.round(screenY + (outerHeight - height) / 2);
  const opened = open('', windowName, `popup,width=${width},height=${height},left=${left},top=${top}`);
  let isGoing = false;
  if (opened) writeInto(opened, text);
  return {
    goTo(url) {
      if (!opened) return 'blocked';
      if (opened.closed) return 'closed';
      isGoing = true;
      opened.location.replace(url);
      return 'gone';
    },
    seemsClosed: () => isGoing && opened !== null && opened.closed,
    close: () => opened?.close(),
  };
}

/** The window would be blank until the provider's page has loaded. */
function writeInto(popup: Window, text: string): void {
  try {
    const { dir, lang } = document.documentElement;
    Object.assign(popup.document.documentElement, { dir, lang });
    popup.document.title = text;
    popup.document.body.textContent = text;
  } catch {
    // A window of that name already shows a provider's page, which this page may not change.
  }
}

/**
 * Whether this page is in a provider's window, which can be closed after a flow from another page has ended here.
 */
export const isProviderWindow = (): boolean => window.name === windowName;
