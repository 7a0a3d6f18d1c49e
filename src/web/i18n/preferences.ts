import { openBroadcast } from '#device/site-data/broadcast.ts';
import { cookieValue } from '#device/site-data/cookie.ts';

export interface Preference {
  kind: 'language' | 'theme';
  value: string;
}

const oneYearSeconds = 365 * 24 * 60 * 60;
let channel: BroadcastChannel | null | undefined;
/** Null where this browser refuses channels: then the other tabs follow at their next page. */
const openChannel = (): BroadcastChannel | null =>
  channel === undefined ? (channel = openBroadcast('preferences')) : channel;

/**
 * Keeps a choice for a year where the server can read it, so that the next page already comes in the right
 * language and theme.
 */
export function rememberInCookie(name: 'lang' | 'theme', value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // The Cookie Store API exists only on secure pages; a house server in a local network may have none.
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${oneYearSeconds}; SameSite=Lax${secure}`;
}

/** The remembered choice, or null; null also where there is no browser (app/prerender/prerender.tsx). */
export function readCookie(name: 'lang' | 'theme'): string | null {
  return typeof document === 'undefined' ? null : cookieValue(document.cookie, name);
}

/** Lets the other tabs of this browser follow a choice. */
export function notifyOtherTabs(preference: Preference): void {
  openChannel()?.postMessage(preference);
}

/** Follows the choices of one kind made in other tabs; gives back what stops it. */
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
