const windowName = 'earshot-provider';
const size = { width: 520, height: 680 };

/** A window of a provider, beside the app. */
export interface ProviderPopup {
  /** Leads it to the provider, unless the browser did not open it or the person has closed it. */
  goTo(url: string): 'gone' | 'blocked' | 'closed';
  /**
   * Whether it seems closed. A hint only: a provider may cut the tie between the windows, and a window that
   * is in use then looks closed.
   */
  seemsClosed(): boolean;
  close(): void;
}

/** A phone has no windows side by side, and one that opens there hides the app. */
export function prefersRedirect(): boolean {
  return matchMedia('(pointer: coarse) and (width <= 760px)').matches;
}

/**
 * Opens an empty window at once: later, after a question to the server, the browser would no longer count it
 * as the user's action.
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

/** Until the provider's page comes the window would be blank. */
function writeInto(popup: Window, text: string): void {
  try {
    const { dir, lang } = document.documentElement;
    Object.assign(popup.document.documentElement, { dir, lang });
    popup.document.title = text;
    popup.document.body.textContent = text;
  } catch {
    // A window of that name was at a provider already: it is not ours to write in.
  }
}

/**
 * Whether this page is such a window: what was begun elsewhere may end here, and the window has then done its
 * work.
 */
export const isProviderWindow = (): boolean => window.name === windowName;
