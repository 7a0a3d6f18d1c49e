import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Events, OAuth2Server, type MutableResponse, type MutableToken } from 'oauth2-mock-server';
import { onTestFinished } from 'vitest';

type Network = typeof fetch;

/** A network in which some public hosts are servers on this machine; all other addresses are unchanged. */
function networkWith(hosts: Record<string, (url: URL) => string>): Network {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return fetch(hosts[url.host]?.(url) ?? url, init);
  };
}

type Claims = Record<string, unknown>;

export interface NamedIssuer {
  network: Network;
  /** The form fields of all requests to its token endpoint, in order. */
  tokenRequests: URLSearchParams[];
  claims(change: (claims: Claims) => void): void;
  token(change: (body: Claims) => void): void;
  userInfo(claims: Claims): void;
  /** Signs any claims with its key, as its notifications are. */
  sign(claims: Claims): Promise<string>;
}

const bodyOf = (response: MutableResponse): Claims => (response.body === '' ? {} : response.body);

/** An OpenID Connect issuer under the name and URLs of a well-known one. `paths` maps paths that differ. */
export async function issuerNamed(options: {
  issuer: string;
  host: string;
  paths?: Record<string, string>;
  discovery?: Claims;
}): Promise<NamedIssuer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  onTestFinished(() => server.stop());
  const base = `http://127.0.0.1:${server.address().port}`;
  server.issuer.url = options.issuer;
  server.service.on(Events.BeforeWellKnownOpenIdConfiguration, (response: MutableResponse) => {
    Object.assign(bodyOf(response), options.discovery);
  });
  const tokenRequests: URLSearchParams[] = [];
  const isIdToken = ({ payload }: MutableToken): boolean => payload['aud'] !== undefined;
  const network = networkWith({
    [options.host]: (url) =>
      base +
      (options.paths?.[url.pathname] ??
        `/${url.pathname.split('/').findLast((part) => part !== '') ?? ''}`.replace(
          '/openid-configuration',
          '/.well-known/openid-configuration',
        )) +
      url.search,
  });
  return {
    network: (input, init) => {
      if (typeof init?.body === 'string' || init?.body instanceof URLSearchParams)
        tokenRequests.push(new URLSearchParams(init.body));
      return network(input, init);
    },
    tokenRequests,
    claims: (change) => {
      server.service.on(Events.BeforeTokenSigning, (token: MutableToken) => {
        if (isIdToken(token)) change(token.payload);
      });
    },
    token: (change) => {
      server.service.on(Events.BeforeResponse, (response: MutableResponse) => {
        change(bodyOf(response));
      });
    },
    userInfo: (claims) => {
      server.service.on(Events.BeforeUserinfo, (response: MutableResponse) => {
        Object.assign(bodyOf(response), claims);
      });
    },
    sign: (claims) =>
      server.issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          Object.assign(payload, claims);
        },
      }),
  };
}

type Answer = { status?: number; type?: string; body: unknown };
export type Handlers = Record<
  string,
  (request: { url: URL; form: URLSearchParams; authorization: string }) => Answer
>;

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

interface Oauth2Only {
  hosts: string[];
  authorizePath: string;
  back?: Record<string, string>;
  handlers: Handlers;
}

function sendBack(url: URL, response: ServerResponse, params: Record<string, string>): void {
  const back = new URL(url.searchParams.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries({
    code: 'the-code',
    state: url.searchParams.get('state') ?? '',
    ...params,
  }))
    back.searchParams.set(name, value);
  response.writeHead(302, { location: back.href }).end();
}

async function answer(
  options: Oauth2Only,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://here.invalid');
  if (url.pathname === options.authorizePath) {
    sendBack(url, response, options.back ?? {});
    return;
  }
  const given = { url, form: await formOf(request), authorization: request.headers.authorization ?? '' };
  const {
    status = 200,
    type = 'application/json',
    body,
  } = options.handlers[url.pathname]?.(given) ?? { status: 404, body: {} };
  response
    .writeHead(status, { 'content-type': type })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/**
 * A provider with OAuth 2 only. It responds at `host/path`, and redirects browsers at `authorizePath` back with a
 * code.
 */
export async function oauth2Only(options: Oauth2Only): Promise<Network> {
  const server = createServer((request, response) => {
    void answer(options, request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return networkWith(
    Object.fromEntries(
      options.hosts.map((host) => [
        host,
        (url: URL) => `http://127.0.0.1:${port}${url.pathname}${url.search}`,
      ]),
    ),
  );
}
