import { cookieValue, userCookieName } from '#device/site-data/cookie.ts';

/**
 * Whether a user was signed in when this was last known (the cookie of `web/api/viewer.ts`). Without one the
 * server would reject requests for a user's data.
 */
const hasUser = (cookies: string, port: string): boolean =>
  cookieValue(cookies, userCookieName('signed-in', port)) === '1';
const recordingPath = /^\/recordings\/([\w-]+)$/;

export interface EarlyRequests {
  addresses: string[];
  /**
   * The one of them whose response fills the prerendered page; null where the page shows no data of a user.
   */
  pictured: string | null;
  /**
   * What the prerendered page does not show. It is requested once the page is complete, so that it does not
   * delay it on a slow connection.
   */
  later: string[];
}

const sessionOnly: EarlyRequests = { addresses: ['/auth/session'], pictured: null, later: [] };

function withUserData(pictured: string, ...later: string[]): EarlyRequests {
  return { addresses: [...sessionOnly.addresses, pictured], pictured, later };
}

/**
 * The first requests of a page, as URLs: the session, and the user's data that the page shows. A request that
 * differs from the app's own is wasted.
 */
export function earlyRequestsFor(
  { pathname, search, port }: { pathname: string; search: string; port: string },
  cookies: string,
): EarlyRequests {
  if (!hasUser(cookies, port)) return sessionOnly;
  if (pathname === '/library' && search === '') return withUserData('/api/recordings?limit=100');
  const recordingId = recordingPath.exec(pathname)?.[1];
  return recordingId === undefined
    ? sessionOnly
    : withUserData(`/api/recordings/${recordingId}`, `/api/recordings/${recordingId}/markers`);
}
