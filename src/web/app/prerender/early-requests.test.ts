import { describe, expect, it } from 'vitest';
import { earlyRequestsFor } from './early-requests.ts';

const someone = 'lang=de; signed-in=1';
const at = (pathname: string, search = '', port = '') => ({ pathname, search, port });
const onlyWho = { addresses: ['/auth/session'], pictured: null, later: [] };

describe('early requests', () => {
  it('include the session on every page', () => {
    expect(earlyRequestsFor(at('/'), '')).toEqual(onlyWho);
    expect(earlyRequestsFor(at('/settings'), someone)).toEqual(onlyWho);
  });

  it('include the data that the page shows, if a user was signed in', () => {
    expect(earlyRequestsFor(at('/library'), someone)).toEqual({
      addresses: ['/auth/session', '/api/recordings?limit=100'],
      pictured: '/api/recordings?limit=100',
      later: [],
    });
    expect(earlyRequestsFor(at('/recordings/01a2-b'), someone)).toEqual({
      addresses: ['/auth/session', '/api/recordings/01a2-b'],
      pictured: '/api/recordings/01a2-b',
      later: ['/api/recordings/01a2-b/markers'],
    });
  });

  it('leave out what the server would reject without a session', () => {
    for (const cookie of ['', 'lang=de', 'signed-in='])
      expect(earlyRequestsFor(at('/library'), cookie)).toEqual(onlyWho);
  });

  it('leave out the data of a user who is signed in at another port of this host', () => {
    for (const port of ['', '3001'])
      expect(earlyRequestsFor(at('/library', '', port), 'signed-in-3000=1')).toEqual(onlyWho);
    expect(earlyRequestsFor(at('/library', '', '3000'), 'signed-in-3000=1').pictured).not.toBeNull();
  });

  it('leave out the list if the URL asks for a part of it', () => {
    expect(earlyRequestsFor(at('/library', '?search=lecture'), someone)).toEqual(onlyWho);
  });
});
