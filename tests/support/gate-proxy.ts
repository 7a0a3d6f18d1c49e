import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * `portal-page` and `portal-redirect` are captive portals: while closed, they answer every request but the one for
 * the service worker's script.
 */
export type GateKind =
  | 'plain'
  | 'tls'
  | 'basic'
  | 'redirect'
  | 'unauthorized'
  | 'portal-page'
  | 'portal-redirect';

export const nginx: string | null =
  ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path)) ?? null;

/** Creates the certificates; null if it is not installed. */
export const openssl: string | null =
  ['/usr/bin/openssl', '/usr/local/bin/openssl'].find((path) => existsSync(path)) ?? null;

/** Resolves when a program accepts connections. */
async function untilListening(port: number, program: ChildProcess): Promise<void> {
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await accepts())) {
    if (program.exitCode !== null) throw new Error(`nginx ended with ${program.exitCode}`);
    await wait(20);
  }
}

/** The gate's own sign-in is a URL that sets a cookie and redirects back, as forward authentication does. */
const cookieGate = `
  location = /gate/sign-in { add_header Set-Cookie "gate=open; Path=/; HttpOnly"; return 302 $arg_to; }
  error_page 401 /gate/closed.html;
  location = /gate/closed.html { internal; default_type text/html; return 200 "<h1>The gate is closed</h1><a href='/gate/sign-in?to=$request_uri'>Sign in at the gate</a>"; }`;

/** The text of a captive portal's page, which must not appear in the app's caches. */
export const portalWords = 'Welcome to the WiFi of this hotel';

/** The service worker's script passes a closed portal, because the browser may already have it. */
const portal = (serverUrl: string): string => `
  location = /portal/page { default_type text/html; return 200 "<!doctype html><title>Portal</title><h1>${portalWords}</h1>"; }
  location = /service.worker.js { proxy_pass ${serverUrl}; }`;

const gates: Record<GateKind, string> = {
  plain: '',
  tls: 'ssl_certificate cert.pem; ssl_certificate_key key.pem;',
  'portal-page': '',
  'portal-redirect': '',
  basic: 'auth_basic "gate"; auth_basic_user_file users;',
  redirect: `${cookieGate}
  location = /gate/page { default_type text/html; return 200 "<h1>The gate is closed</h1><a href='/gate/sign-in?to=$arg_to'>Sign in at the gate</a>"; }`,
  unauthorized: cookieGate,
};

/** The gate's response to a request without its cookie. */
const whenClosed: Partial<Record<GateKind, string>> = {
  redirect: 'if ($gate_closed) { return 302 /gate/page?to=$request_uri; }',
  unauthorized: 'if ($gate_closed) { return 401; }',
  'portal-page': 'if (!-f $document_root/portal-is-open) { rewrite ^ /portal/page last; }',
  'portal-redirect':
    'if (!-f $document_root/portal-is-open) { return 302 http://127.0.0.1:$server_port/portal/page; }',
};

/**
 * Creates a self-signed certificate, as home servers have them. Returns its key's fingerprint in the form that
 * Chromium accepts.
 */
function makeCertificate(directory: string): { keyFingerprint: string } {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  execFileSync(
    openssl ?? 'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  const publicKey = new X509Certificate(readFileSync(certificate)).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  return { keyFingerprint: createHash('sha256').update(publicKey).digest('base64') };
}

/** A real nginx in front of a server, with its own sign-in. */
export class GateProxy {
  readonly url: string;
  /** The fingerprint of its certificate's key; null without TLS. */
  readonly keyFingerprint: string | null;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(
    url: string,
    child: ChildProcess,
    { directory, keyFingerprint }: { directory: string; keyFingerprint: string | null },
  ) {
    this.url = url;
    this.keyFingerprint = keyFingerprint;
    this.#process = child;
    this.#directory = directory;
  }

  static async start(
    kind: GateKind,
    { port, serverUrl }: { port: number; serverUrl: string },
  ): Promise<GateProxy> {
    const directory = mkdtempSync(join(tmpdir(), 'earshot-gate-'));
    writeFileSync(join(directory, 'users'), 'ann:{PLAIN}open sesame\n');
    const { keyFingerprint } = kind === 'tls' ? makeCertificate(directory) : { keyFingerprint: null };
    const isPortal = kind === 'portal-page' || kind === 'portal-redirect';
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join('\n');
    writeFileSync(
      join(directory, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; pid ${directory}/nginx.pid; error_log stderr;
events {}
http {
access_log off; client_max_body_size 8m; ${temporary}
map $cookie_gate $gate_closed { default 1; open 0; }
server {
  listen 127.0.0.1:${port}${kind === 'tls' ? ' ssl' : ''};
  root ${directory};
  ${gates[kind]}
  proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_buffering off;
  ${isPortal ? portal(serverUrl) : ''}
  location / { ${whenClosed[kind] ?? ''} proxy_pass ${serverUrl}; }
}
}
`,
    );
    const child = spawn(
      nginx ?? 'nginx',
      ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', 'stderr'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    await untilListening(port, child);
    return new GateProxy(`${kind === 'tls' ? 'https' : 'http'}://localhost:${port}`, child, {
      directory,
      keyFingerprint,
    });
  }

  /** Opens a captive portal, as its form does, or closes it again. */
  setPortal(state: 'open' | 'closed'): void {
    const mark = join(this.#directory, 'portal-is-open');
    if (state === 'open') writeFileSync(mark, '');
    else rmSync(mark, { force: true });
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => {
      this.#process.once('exit', resolve);
    });
    this.#process.kill('SIGTERM');
    await ended;
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
