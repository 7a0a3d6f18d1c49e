import type { LightMyRequestResponse } from 'fastify';
import type { MutableResponse } from 'oauth2-mock-server';
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { minute } from '#base/duration.ts';
import { problemSchema } from '#contract/errors.ts';
import { appUnderTest, type AppUnderTest } from './app-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { forged, maliciousIssuer, type MaliciousIssuer } from './malicious-issuer.ts';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const rejection = (response: LightMyRequestResponse): [number, string] => [
  response.statusCode,
  problemSchema.parse(response.json()).code,
];

let evil: MaliciousIssuer;
let rig: AppUnderTest;
beforeEach(async () => {
  evil = await maliciousIssuer();
  rig = appUnderTest(await freshDatabase(), { providers: [evil.settings] });
});

/** The traces of a rejected sign-in, which should be only a line in the audit log. */
async function outcomeOf(response: LightMyRequestResponse) {
  return {
    rejection: rejection(response),
    cookie: response.cookies.find(({ name }) => name === 'sid'),
    rows: [await rig.count('users'), await rig.count('sessions'), await rig.count('identities')],
    audit: await rig.rejections(),
  };
}
const signedOut = (status: number, code: string) => ({
  rejection: [status, code],
  cookie: undefined,
  rows: [0, 0, 0],
  audit: [code],
});

const body = (response: MutableResponse): Record<string, unknown> =>
  response.body === '' ? {} : response.body;

test('the issuer’s honest response signs in', async () => {
  expect((await rig.newBrowser().signIn('evil')).statusCode).toBe(200);
});

describe('the signature of an ID token (ASVS 6.8.2)', () => {
  const tokens: [name: string, forge: (token: unknown) => string][] = [
    ['missing (alg none)', forged.unsigned],
    ['made with the client secret (HS256)', forged.bySecret],
    ['garbage', forged.garbage],
    ['by another key with the right key id', (token) => forged.byOtherKey(token)],
    ['by another key with an unknown key id', (token) => forged.byOtherKey(token, 'a-key-nobody-knows')],
  ];
  it.each(tokens)('abuse case 9: %s', async (_name, forge) => {
    evil.answer((response) => {
      body(response)['id_token'] = forge(body(response)['id_token']);
    });
    expect(await outcomeOf(await rig.newBrowser().signIn('evil'))).toEqual(
      signedOut(502, 'oauth-exchange-failed'),
    );
  });

  it('abuse case 9: rejects HS256 even where discovery offers it', async () => {
    evil.discovery((response) => {
      body(response)['id_token_signing_alg_values_supported'] = ['HS256', 'none', 'RS256'];
    });
    evil.answer((response) => {
      body(response)['id_token'] = forged.bySecret(body(response)['id_token']);
    });
    expect(await outcomeOf(await rig.newBrowser().signIn('evil'))).toEqual(
      signedOut(502, 'oauth-exchange-failed'),
    );
  });
});

describe('the claims of an ID token (ASVS 10.5.1–10.5.4)', () => {
  const changes: [name: string, change: (claims: Record<string, unknown>) => void][] = [
    [
      'another audience',
      (claims) => {
        claims['aud'] = 'somebody-else';
      },
    ],
    [
      'an additional audience',
      (claims) => {
        claims['aud'] = ['earshot', 'somebody-else'];
      },
    ],
    [
      'an additional audience, with another client as the authorized party',
      (claims) => {
        Object.assign(claims, { aud: ['earshot', 'somebody-else'], azp: 'somebody-else' });
      },
    ],
    [
      'no audience',
      (claims) => {
        claims['aud'] = [];
      },
    ],
    [
      'another issuer',
      (claims) => {
        claims['iss'] = 'https://accounts.google.com';
      },
    ],
    [
      'an issuer that differs by a slash',
      (claims) => {
        claims['iss'] = `${String(claims['iss'])}/`;
      },
    ],
    [
      'no nonce',
      (claims) => {
        delete claims['nonce'];
      },
    ],
    [
      'another nonce',
      (claims) => {
        claims['nonce'] = 'another';
      },
    ],
    [
      'no subject',
      (claims) => {
        delete claims['sub'];
      },
    ],
    [
      'an empty subject',
      (claims) => {
        claims['sub'] = '';
      },
    ],
    [
      'a subject that is a number',
      (claims) => {
        claims['sub'] = 7;
      },
    ],
    [
      'no expiry',
      (claims) => {
        delete claims['exp'];
      },
    ],
  ];
  it.each(changes)('abuse case 10: %s', async (_name, change) => {
    evil.claim(change);
    expect(await outcomeOf(await rig.newBrowser().signIn('evil'))).toEqual(
      signedOut(502, 'oauth-exchange-failed'),
    );
  });

  const times: typeof changes = [
    [
      'an expiry in the past',
      (claims) => {
        Object.assign(claims, { exp: nowSeconds() - 600, iat: nowSeconds() - 1200 });
      },
    ],
    [
      'an issue time in the future',
      (claims) => {
        claims['iat'] = nowSeconds() + 600;
      },
    ],
    [
      'a not-before time in the future',
      (claims) => {
        claims['nbf'] = nowSeconds() + 600;
      },
    ],
  ];
  it.each(times)('abuse case 10: %s, which has its own error code', async (_name, change) => {
    evil.claim(change);
    expect(await outcomeOf(await rig.newBrowser().signIn('evil'))).toEqual(
      signedOut(502, 'oauth-clock-wrong'),
    );
  });

  it('abuse case 11: UserInfo of another user', async () => {
    evil.userInfo((response) => {
      body(response)['sub'] = 'the-victim';
    });
    expect(await outcomeOf(await rig.newBrowser().signIn('evil'))).toEqual(
      signedOut(502, 'oauth-exchange-failed'),
    );
  });
});

describe('a token endpoint', () => {
  const answers: [name: string, change: (response: MutableResponse) => void, expected: [number, string]][] = [
    [
      'returns no ID token',
      (response) => {
        delete body(response)['id_token'];
      },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'returns no access token',
      (response) => {
        delete body(response)['access_token'];
      },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'returns no token type',
      (response) => {
        delete body(response)['token_type'];
      },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'rejects the code',
      (response) => {
        Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } });
      },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'rejects the client',
      (response) => {
        Object.assign(response, { statusCode: 401, body: { error: 'invalid_client' } });
      },
      [502, 'provider-misconfigured'],
    ],
    [
      'returns an empty object',
      (response) => {
        Object.assign(response, { statusCode: 200, body: {} });
      },
      [502, 'oauth-exchange-failed'],
    ],
    [
      'is broken',
      (response) => {
        Object.assign(response, { statusCode: 500, body: { error: 'server_error' } });
      },
      [503, 'provider-unavailable'],
    ],
    [
      'is overloaded, with an empty body',
      (response) => {
        Object.assign(response, { statusCode: 503, body: {} });
      },
      [503, 'provider-unavailable'],
    ],
  ];
  it.each(answers)('that %s', async (_name, change, expected) => {
    evil.answer(change);
    expect(await outcomeOf(await rig.newBrowser().signIn('evil'))).toEqual(signedOut(...expected));
  });
});

describe('a discovery document', () => {
  const down: [number, string] = [503, 'provider-unavailable'];
  const wrong: [number, string] = [502, 'provider-misconfigured'];
  const documents: [name: string, change: (response: MutableResponse) => void, expected: [number, string]][] =
    [
      [
        'names another issuer',
        (response) => {
          body(response)['issuer'] = 'https://accounts.google.com';
        },
        wrong,
      ],
      [
        'names an issuer on another path',
        (response) => {
          body(response)['issuer'] = `${String(body(response)['issuer'])}/tenant`;
        },
        wrong,
      ],
      [
        'names its issuer with two extra slashes',
        (response) => {
          body(response)['issuer'] = `${String(body(response)['issuer'])}//`;
        },
        wrong,
      ],
      [
        'names no issuer',
        (response) => {
          delete body(response)['issuer'];
        },
        wrong,
      ],
      [
        'names no authorization endpoint',
        (response) => {
          delete body(response)['authorization_endpoint'];
        },
        wrong,
      ],
      [
        'names one that is no HTTP URL',
        (response) => {
          body(response)['authorization_endpoint'] = 'javascript:alert(1)';
        },
        wrong,
      ],
      [
        'names no key set',
        (response) => {
          delete body(response)['jwks_uri'];
        },
        wrong,
      ],
      [
        'offers no code flow',
        (response) => {
          body(response)['response_types_supported'] = ['id_token'];
        },
        wrong,
      ],
      [
        'offers symmetric signatures only',
        (response) => {
          body(response)['id_token_signing_alg_values_supported'] = ['HS256'];
        },
        wrong,
      ],
      [
        'requires pushed requests',
        (response) => {
          body(response)['require_pushed_authorization_requests'] = true;
        },
        wrong,
      ],
      [
        'is not found',
        (response) => {
          response.statusCode = 404;
        },
        wrong,
      ],
      [
        'is forbidden',
        (response) => {
          response.statusCode = 403;
        },
        wrong,
      ],
      [
        'is rate-limited',
        (response) => {
          response.statusCode = 429;
        },
        down,
      ],
      [
        'is broken',
        (response) => {
          response.statusCode = 500;
        },
        down,
      ],
    ];
  it.each(documents)('that %s', async (_name, change, expected) => {
    evil.discovery(change);
    expect(rejection(await rig.newBrowser().post('/auth/evil', {}))).toEqual(expected);
    expect(await rig.count('oauth_flows')).toBe(0);
  });

  const networks: [name: string, answer: () => Promise<Response>, expected: [number, string]][] = [
    [
      'cannot be reached',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      down,
    ],
    [
      'takes too long',
      () => Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      [504, 'provider-slow'],
    ],
    [
      'is an HTML page',
      () => Promise.resolve(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })),
      wrong,
    ],
    [
      'is not valid JSON',
      () => Promise.resolve(new Response('{', { headers: { 'content-type': 'application/json' } })),
      wrong,
    ],
    [
      'redirects elsewhere',
      () =>
        Promise.resolve(
          new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
        ),
      wrong,
    ],
  ];
  it.each(networks)('that %s is requested again the next time', async (_name, answer, expected) => {
    let isDown = true;
    const app = appUnderTest(rig.database, {
      providers: [evil.settings],
      fetch: (url, init) => (isDown ? answer() : fetch(url, init)),
    });
    expect(rejection(await app.newBrowser().post('/auth/evil', {}))).toEqual(expected);
    isDown = false;
    expect((await app.newBrowser().signIn('evil')).statusCode).toBe(200);
  });

  it('that is valid is read once, not at every sign-in', async () => {
    let read = 0;
    const app = appUnderTest(rig.database, {
      providers: [evil.settings],
      fetch: (url, init) => {
        read += url.includes('.well-known') ? 1 : 0;
        return fetch(url, init);
      },
    });
    await Promise.all([1, 2, 3].map(() => app.newBrowser().start('evil')));
    await app.newBrowser().signIn('evil');
    expect(read).toBe(1);
  });
});

test('accepts a new signing key without a restart', async () => {
  expect((await rig.newBrowser().signIn('evil')).statusCode).toBe(200);
  await evil.addKey();
  // Keys are fetched again for an unknown key id once they are older than a minute.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * minute });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  for (let round = 0; round < 4; round += 1)
    expect((await rig.newBrowser().signIn('evil')).statusCode).toBe(200);
});
