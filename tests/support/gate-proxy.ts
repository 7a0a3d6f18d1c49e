import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type GateKind = 'plain' | 'basic' | 'redirect' | 'unauthorized';

export const nginx: string | null = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path)) ?? null;

/** The gate's own sign-in is an address that gives a cookie and leads back, as forward authentication does. */
const cookieGate = `
  location = /gate/sign-in { add_header Set-Cookie "gate=open; Path=/; HttpOnly"; return 302 $arg_to; }
  error_page 401 /gate/closed.html;
  location = /gate/closed.html { internal; default_type text/html; return 200 "<h1>The gate is closed</h1><a href='/gate/sign-in?to=$request_uri'>Sign in at the gate</a>"; }`;

const gates: Record<GateKind, string> = {
  plain: '', basic: 'auth_basic "gate"; auth_basic_user_file users;',
  redirect: `${cookieGate}
  location = /gate/page { default_type text/html; return 200 "<h1>The gate is closed</h1><a href='/gate/sign-in?to=$arg_to'>Sign in at the gate</a>"; }`,
  unauthorized: cookieGate,
};

/** What the gate answers in the server's place to a request without its cookie. */
const whenClosed: Partial<Record<GateKind, string>> = { redirect: 'if ($gate_closed) { return 302 /gate/page?to=$request_uri; }', unauthorized: 'if ($gate_closed) { return 401; }' };

/** A real nginx in front of a server, with a sign-in of its own. */
export class GateProxy {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(url: string, child: ChildProcess, directory: string) {
    this.url = url;
    this.#process = child;
    this.#directory = directory;
  }

  static start(kind: GateKind, { port, serverUrl }: { port: number; serverUrl: string }): GateProxy {
    const directory = mkdtempSync(join(tmpdir(), 'earshot-gate-'));
    writeFileSync(join(directory, 'users'), 'ann:{PLAIN}open sesame\n');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n');
    writeFileSync(join(directory, 'nginx.conf'), `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; pid ${directory}/nginx.pid; error_log stderr;
events {}
http {
access_log off; client_max_body_size 8m; ${temporary}
map $cookie_gate $gate_closed { default 1; open 0; }
server {
  listen 127.0.0.1:${port};
  ${gates[kind]}
  proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_buffering off;
  location / { ${whenClosed[kind] ?? ''} proxy_pass ${serverUrl}; }
}
}
`);
    const child = spawn(nginx ?? 'nginx', ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] });
    return new GateProxy(`http://localhost:${port}`, child, directory);
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => { this.#process.once('exit', resolve); });
    this.#process.kill('SIGTERM');
    await ended;
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
