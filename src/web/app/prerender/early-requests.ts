import { cookieValue, lastUserCookieName } from '#device/site-data/cookie.ts';

/**
 * Somebody was signed in when this was last known (`last-person.ts`): without it, what belongs to a person
 * would only be refused.
 */
const hasUser = (cookies: string, port: string): boolean =>
  cookieValue(cookies, lastUserCookieName('signed-in', port)) === '1';
const onePage = /^\/recordings\/([\w-]+)$/;

export interface EarlyRequests {
  addresses: string[];
  /**
   * The one of them whose answer is written into the page's picture; null where the picture shows nothing of
   * a person's.
   */
  pictured: string | null;
  /**
   * What the picture does not show, to be asked for once it is complete: on a slow line it would come
   * between.
   */
  later: string[];
}

const aboutNobody: EarlyRequests = { addresses: ['/auth/session'], pictured: null, later: [] };

function aboutSomeone(pictured: string, ...later: string[]): EarlyRequests {
  return { addresses: [...aboutNobody.addresses, pictured], pictured, later };
}

/**
 * What a page asks the server first, by its address: who is signed in, and what it shows of theirs. What
 * differs from the program's own question is asked for nothing.
 */
export function earlyRequestsFor(
  { pathname, search, port }: { pathname: string; search: string; port: string },
  cookies: string,
): EarlyRequests {
  if (!hasUser(cookies, port)) return aboutNobody;
  if (pathname === '/library' && search === '') return aboutSomeone('/api/recordings?limit=100');
  const recordingId = onePage.exec(pathname)?.[1];
  return recordingId === undefined
    ? aboutNobody
    : aboutSomeone(`/api/recordings/${recordingId}`, `/api/recordings/${recordingId}/markers`);
}
