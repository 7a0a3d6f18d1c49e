import { openBroadcast } from '#device/site-data/broadcast.ts';
import { cookieValue } from '#device/site-data/cookie.ts';

export interface Preference {
  kind: 'language' | 'theme';
  value: string;
}

const oneYearSeconds = 365 * 24 * 60 * 60;
let channel: BroadcastChannel | null | undefined;
/** Null in a browser without BroadcastChannel. Other tabs then follow when they load a page. */
const openChannel = (): BroadcastChannel | null =>
  channel === undefined ? (channel = openBroadcast('preferences')) : channel;

/**
 * Stores a choice in a cookie for a year, so that the server renders the next page in the right language and
 * theme.
 */
export function rememberInCookie(name: 'lang' | 'theme', value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // The Cookie Store API exists only on secure pages, and a server in a home network may have none.
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${oneYearSeconds}; SameSite=Lax${secure}`;
}

/** The stored choice; null if there is none, and while prerendering (app/prerender/prerender.tsx). */
export function readCookie(name: 'lang' | 'theme'): string | null {
  return typeof document === 'undefined' ? null : cookieValue(document.cookie, name);
}

/** Notifies the other tabs of this browser of a choice. */
export function notifyOtherTabs(preference: Preference): void {
  openChannel()?.postMessage(preference);
}

/**
 * Follows the choices of one kind made in other tabs.
 * @returns unsubscribes
 */
export function onPreferenceOfOtherTab(
  kind: Preference['kind'],
  follow: (value: string) => void,
): () => void {
  const source = openChannel();
  const listen = (event: MessageEvent<Preference>) => {
    if (event.data.kind === kind) follow(event.data.value);
  };
  source?.addEventListener('message', listen);
  return () => source?.removeEventListener('message', listen);
}
