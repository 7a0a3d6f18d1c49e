import { describe, expect, it } from 'vitest';
import { earlyRequestsFor } from './early-requests.ts';

const someone = 'lang=de; signed-in=1';
const at = (pathname: string, search = '', port = '') => ({ pathname, search, port });
const onlyWho = { addresses: ['/auth/session'], pictured: null, later: [] };

describe('what a page asks for before its program is there', () => {
  it('is who is signed in, on every page', () => {
    expect(earlyRequestsFor(at('/'), '')).toEqual(onlyWho);
    expect(earlyRequestsFor(at('/settings'), someone)).toEqual(onlyWho);
  });

  it('is what the page shows, where somebody was signed in', () => {
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

  it('is nothing that would be refused: nobody was here, or somebody signed out', () => {
    for (const cookie of ['', 'lang=de', 'signed-in='])
      expect(earlyRequestsFor(at('/library'), cookie)).toEqual(onlyWho);
  });

  it('is nothing for a user who is signed in at another port of this host', () => {
    for (const port of ['', '3001'])
      expect(earlyRequestsFor(at('/library', '', port), 'signed-in-3000=1')).toEqual(onlyWho);
    expect(earlyRequestsFor(at('/library', '', '3000'), 'signed-in-3000=1').pictured).not.toBeNull();
  });

  it('is not the whole list where the address asks for a part of it', () => {
    expect(earlyRequestsFor(at('/library', '?search=lecture'), someone)).toEqual(onlyWho);
  });
});
