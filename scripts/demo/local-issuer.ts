import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Provider, type KoaContextWithOIDC } from 'oidc-provider';
import { MemoryAdapter } from './memory-adapter.ts';

/** A user to sign in as, with the claims that the issuer makes about them. */
export interface LocalUser {
  sub: string;
  claims: Record<string, unknown>;
}

interface LocalClient {
  clientId: string;
  clientSecret: string;
  redirectUris: string[];
  /** The only client authentication method that the issuer accepts; both if absent. */
  method?: 'client_secret_post' | 'client_secret_basic';
}

export interface LocalIssuer {
  issuer: string;
  stop(): Promise<void>;
}

interface IssuerOptions {
  /** 0 selects any free port. */
  port: number;
  /** The path of the issuer's own identifier, with or without a trailing slash; defaults to none. */
  path?: string;
  people: readonly LocalUser[];
  client: LocalClient | ((issuer: string) => LocalClient);
  /** Renders the page for choosing a user. */
  choosePage: (people: readonly LocalUser[]) => string;
}

/** Choosing a user implies consent, so there is no consent page. */
async function grantOf({ oidc }: KoaContextWithOIDC): Promise<unknown> {
  const { clientId } = oidc.client;
  const known = oidc.result?.consent?.grantId ?? oidc.session.grantIdFor(clientId);
  if (known !== undefined) return oidc.provider.Grant.find(known);
  const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

function configurationOf({ people }: IssuerOptions, client: LocalClient): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: client.redirectUris,
        token_endpoint_auth_method: client.method ?? 'client_secret_post',
      },
    ],
    jwks: {
      keys: [
        {
          ...privateKey.export({ format: 'jwk' }),
          use: 'sig',
          alg: 'RS256',
          kid: randomBytes(8).toString('hex'),
        },
      ],
    },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'given_name', 'family_name', 'nickname'],
      auth_time: null,
    },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: grantOf,
    findAccount: (_context: unknown, sub: string) => {
      const user = people.find((candidate) => candidate.sub === sub);
      return user && { accountId: sub, claims: () => ({ sub, ...user.claims }) };
    },
    ttl: {
      Interaction: 600,
      Session: 3600,
      Grant: 3600,
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
    },
  };
}

/** Drops the session, so that every sign-in shows the choice of users instead of using an earlier user. */
function forgetSession(request: IncomingMessage): void {
  request.headers.cookie = (request.headers.cookie ?? '')
    .split(/;\s*/)
    .filter((cookie) => !cookie.startsWith('_session'))
    .join('; ');
}

/** The library derives its mount path from the remaining URL. */
function mountBelow(prefix: string, request: IncomingMessage & { originalUrl?: string }): void {
  const { url = '/' } = request;
  if (prefix === '' || !url.startsWith(`${prefix}/`)) return;
  request.originalUrl = url;
  request.url = url.slice(prefix.length);
}

/**
 * Rejects a secret sent by the wrong method. The library accepts both methods from any client; stricter issuers
 * reject the other one with a similar message.
 */
function rejectsMethod(
  method: LocalClient['method'],
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const sent = request.headers.authorization === undefined ? 'client_secret_post' : 'client_secret_basic';
  if (
    method === undefined ||
    method === sent ||
    request.method !== 'POST' ||
    request.url?.endsWith('/token') !== true
  )
    return false;
  const body = {
    error: 'invalid_client',
    error_description: `Client authentication failed. The client supports the method '${method}', and '${sent}' was sent.`,
  };
  response
    .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="issuer"' })
    .end(JSON.stringify(body));
  return true;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

async function interact(
  provider: Provider,
  options: IssuerOptions,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(options.choosePage(options.people));
    return;
  }
  const accountId = (await bodyOf(request)).get('user') ?? '';
  const isKnown = options.people.some(({ sub }) => sub === accountId);
  const result = isKnown
    ? { login: { accountId } }
    : { error: 'access_denied', error_description: 'no user was chosen' };
  await provider.interactionFinished(request, response, result);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(address === null || typeof address === 'string' ? port : address.port);
    });
  });
}

/**
 * Starts a real OpenID Connect issuer on this machine, where users are chosen from a list. For demos and tests.
 */
export async function startLocalIssuer(options: IssuerOptions): Promise<LocalIssuer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => {
    handle(request, response);
  });
  const { path = '' } = options;
  const issuer = `http://127.0.0.1:${await listen(server, options.port)}${path}`;
  const client = typeof options.client === 'function' ? options.client(issuer) : options.client;
  const provider = new Provider(issuer, configurationOf(options, client));
  const callback = provider.callback();
  handle = (request, response) => {
    forgetSession(request);
    mountBelow(path.replace(/\/$/, ''), request);
    if (rejectsMethod(client.method, request, response)) return;
    if (request.url?.startsWith('/interaction/') !== true) {
      callback(request, response);
      return;
    }
    interact(provider, options, { request, response }).catch(() => {
      response
        .writeHead(400, { 'content-type': 'text/plain' })
        .end('This sign-in is too old. Go back and begin again.');
    });
  };
  return {
    issuer,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
