import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTree, signalAll } from './process-tree.ts';
import type { SoundServer } from './sound-server.ts';
import { until } from './take.ts';

/** A browser of another engine, as far as this suite needs it. */
export interface Engine {
  /** Runs the body of an async function in the page and returns its result. */
  evaluate(body: string): Promise<unknown>;
  goTo(url: string): Promise<void>;
  /** Runs a script in every later page, before the page's own scripts. */
  prepare?(script: string): Promise<void>;
  /**
   * Presses the button of this name with user activation, which playback requires.
   * @throws Error if there is no such button.
   */
  press(name: string): Promise<void>;
  /** Makes the page this large, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** The processes of the browser whose command line contains a text; by default all of them. */
  pids(commandContains?: string): number[];
  /** Kills all of its processes, as the kernel would. Returns the time of the kill. Its profile can be opened again. */
  kill(): Promise<number>;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** A folder for everything that the browser stores, which outlives it; by default one that ends with the browser. */
  profile?: string | undefined;
  /** Where the microphone and the loudspeaker are; by default the engine's own mock microphone. */
  sound?: Pick<SoundServer, 'environment'> | undefined;
  /** Runs in every page before the page's own scripts. With a profile or a sound server only. */
  script?: string;
  /** Whether the browser accepts the certificates of a test. */
  trustsAnyCertificate?: boolean;
}

const pidsOf = ({ pid }: ChildProcess, commandContains = ''): number[] =>
  pid === undefined
    ? []
    : processTree(pid)
        .filter(({ command }) => command.includes(commandContains))
        .map((one) => one.pid);

/** Kills a process with all its descendants and waits until it has ended. Returns the time of the kill. */
async function killTree(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Date.now();
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  const pids = pidsOf(child);
  const atMs = Date.now();
  signalAll(pids, 'SIGKILL');
  await ended;
  return atMs;
}

const mockSound = `
user_pref("media.navigator.streams.fake", true);
user_pref("media.cubeb.force_mock_context", true);
`;

const firefoxPreferences = `
user_pref("media.navigator.permission.disabled", true);
user_pref("media.autoplay.default", 0);
user_pref("remote.active-protocols", 1);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
`;

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** WebDriver BiDi over Node's own WebSocket. */
class BidiLine {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (value: Fields) => void; reject: (error: Error) => void }>();
  #last = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = fieldsOf(JSON.parse(String(data)));
      const waiting = this.#waiting.get(Number(message.id));
      this.#waiting.delete(Number(message.id));
      if (message.type === 'error')
        waiting?.reject(new Error(`${String(message.error)}: ${String(message.message)}`));
      else waiting?.resolve(fieldsOf(message.result));
    });
  }

  send(method: string, params: unknown): Promise<Fields> {
    this.#last += 1;
    const id = this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
  }

  close(): void {
    this.#socket.close();
  }
}

async function openSocket(url: string): Promise<WebSocket> {
  return until(
    async () => {
      const socket = new WebSocket(url);
      return new Promise<WebSocket | null>((resolve) => {
        socket.addEventListener('open', () => {
          resolve(socket);
        });
        socket.addEventListener('error', () => {
          resolve(null);
        });
      });
    },
    'an answer from the browser',
    30_000,
  );
}

/**
 * Firefox (Debian's ESR) by WebDriver BiDi, with extra lines for its `user.js`. Returns the reason if it is not
 * installed.
 */
export async function openFirefox(
  port: number,
  furtherPreferences = '',
  { trustsAnyCertificate = false, profile: ownProfile, sound, script }: EngineOptions = {},
): Promise<Engine | string> {
  const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
  if (program === undefined) return 'Firefox is not installed (Debian: firefox-esr)';
  const profile = ownProfile ?? mkdtempSync(join(tmpdir(), 'earshot-firefox-'));
  writeFileSync(
    join(profile, 'user.js'),
    firefoxPreferences + (sound === undefined ? mockSound : '') + furtherPreferences,
  );
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, `--remote-debugging-port=${port}`],
    { stdio: 'ignore', env: { ...process.env, HOME: profile, ...sound?.environment } },
  );
  const line = new BidiLine(await openSocket(`ws://127.0.0.1:${port}/session`));
  await line.send('session.new', {
    capabilities: trustsAnyCertificate ? { alwaysMatch: { acceptInsecureCerts: true } } : {},
  });
  const tree = await line.send('browsingContext.getTree', {});
  const context = Array.isArray(tree.contexts) ? fieldsOf(tree.contexts[0]).context : null;
  const engine: Engine = {
    async evaluate(body) {
      const reply = await line.send('script.evaluate', {
        expression: `(async () => JSON.stringify((await (async () => { ${body} })()) ?? null))()`,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      });
      if (reply.type !== 'success') throw new Error(JSON.stringify(fieldsOf(reply.exceptionDetails).text));
      return JSON.parse(String(fieldsOf(reply.result).value));
    },
    async press(name) {
      await engine.evaluate(pressScript(name));
    },
    async goTo(url) {
      await line.send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async resize(width, height) {
      await line.send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    async prepare(script) {
      await line.send('script.addPreloadScript', { functionDeclaration: `() => {${script}}` });
    },
    pids: (commandContains) => pidsOf(child, commandContains),
    kill: () => killTree(child),
    async close() {
      line.close();
      await killTree(child);
      if (ownProfile === undefined) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  if (script !== undefined) await engine.prepare?.(script);
  return engine;
}

const pressScript = (name: string): string => `
  const button = [...document.querySelectorAll('button')].find((one) => !one.closest('[inert]') && (one.getAttribute('aria-label') ?? one.textContent).trim() === ${JSON.stringify(name)});
  if (!button) throw new Error(${JSON.stringify(`no button ${name}: `)} + document.body.innerText.slice(0, 300));
  button.click();`;

function findMiniBrowser(): string | null {
  const roots = [
    '/usr/lib/x86_64-linux-gnu',
    '/usr/lib/aarch64-linux-gnu',
    '/usr/lib',
    '/usr/libexec',
  ].filter((root) => existsSync(root));
  const found = roots.flatMap((root) =>
    readdirSync(root)
      .filter((name) => name.startsWith('webkit2gtk-4'))
      .map((name) => join(root, name, 'MiniBrowser')),
  );
  return found.find((path) => existsSync(path)) ?? null;
}

/** A desktop's helpers would mount file systems in the home folder of a browser that is being killed. */
const noDesktop = { GVFS_DISABLE_FUSE: '1', GIO_USE_VFS: 'local', GTK_USE_PORTAL: '0' };

/** The driver's responses never take longer than its longest script. */
const webDriverTimeoutMs = 70_000;

const ownBrowser = join(import.meta.dirname, 'webkit-browser.gjs');

/** The program and its arguments. An automated MiniBrowser forgets everything and has no real microphone. */
function webKitProgram({ profile, sound }: EngineOptions): { binary: string; args: string[] } | string {
  if (profile === undefined && sound === undefined) {
    const binary = findMiniBrowser();
    return binary === null
      ? 'WebKitGTK is not installed (Debian: webkit2gtk-driver)'
      : { binary, args: ['--automation', '--features=+MockCaptureDevices,-MockCaptureDevicesPrompt'] };
  }
  if (!existsSync('/usr/bin/gjs')) return 'GJS is not installed (Debian: gjs, gir1.2-webkit2-4.1)';
  return { binary: '/usr/bin/gjs', args: ['-m', ownBrowser] };
}

/**
 * WebKitGTK by W3C WebDriver under Xvfb. Without a profile or a sound server it is an automated MiniBrowser, which
 * has no files, like a private window. Returns the reason if it is not installed.
 */
export async function openWebKit(port: number, options: EngineOptions = {}): Promise<Engine | string> {
  const program = webKitProgram(options);
  if (typeof program === 'string') return program;
  if (!existsSync('/usr/bin/WebKitWebDriver') || !existsSync('/usr/bin/xvfb-run'))
    return 'WebKitGTK is not installed (Debian: webkit2gtk-driver, xvfb, dbus-x11)';
  const home = options.profile ?? mkdtempSync(join(tmpdir(), 'earshot-webkit-'));
  const folder = join(home, 'stored');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'prepare.js'), options.script ?? '');
  const child = spawn(
    '/usr/bin/dbus-run-session',
    ['--', 'xvfb-run', '-a', 'WebKitWebDriver', `--port=${port}`],
    {
      stdio: 'ignore',
      env: {
        ...process.env,
        HOME: home,
        ...noDesktop,
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
        ...options.sound?.environment,
      },
    },
  );
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      signal: AbortSignal.timeout(webDriverTimeoutMs),
    });
    const { value } = fieldsOf(await reply.json());
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await until(() => call('GET', '/status'), 'an answer from WebKitWebDriver', 30_000);
  // WebKitGTK sometimes never reports that a page has loaded, so the page itself is queried.
  const capabilities = {
    alwaysMatch: {
      pageLoadStrategy: 'none',
      'webkitgtk:browserOptions': {
        binary: program.binary,
        args: program.binary.endsWith('gjs') ? [...program.args, folder] : program.args,
      },
    },
  };
  const session = `/session/${String(fieldsOf(await call('POST', '/session', { capabilities })).sessionId)}`;
  await call('POST', `${session}/timeouts`, { script: 60_000 });
  const engine: Engine = {
    evaluate: async (body) => {
      const script = `const done = arguments[arguments.length - 1]; (async () => { ${body} })().then((value) => done(JSON.stringify({ value: value ?? null })), (error) => done(JSON.stringify({ error: String(error) })));`;
      const answer = fieldsOf(
        JSON.parse(String(await call('POST', `${session}/execute/async`, { script, args: [] }))),
      );
      if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
      return answer.value;
    },
    press: async (name) => {
      const found = fieldsOf(
        await call('POST', `${session}/element`, {
          using: 'xpath',
          value: `//button[normalize-space(.)="${name}" or @aria-label="${name}"]`,
        }),
      );
      await call('POST', `${session}/element/${String(Object.values(found)[0])}/click`, {});
    },
    goTo: async (url) => {
      await engine.evaluate('globalThis.isLeft = true; return null;');
      const isThere = async () =>
        (await engine.evaluate(
          "return document.readyState === 'complete' && location.protocol === 'http:' && !('isLeft' in globalThis);",
        )) || null;
      const go = async (withinMs: number) => {
        await call('POST', `${session}/url`, { url });
        await until(isThere, `the page at ${url}`, withinMs);
      };
      await go(20_000).catch(() => go(60_000));
    },
    resize: async (width, height) => {
      await call('POST', `${session}/window/rect`, { x: 0, y: 0, width, height });
    },
    pids: (commandContains) => pidsOf(child, commandContains),
    kill: () => killTree(child),
    close: async () => {
      if (pidsOf(child).length > 1) await call('DELETE', session).catch(() => undefined);
      await killTree(child);
      if (options.profile !== undefined) return;
      // The recording has already been judged, so a folder that a helper still uses must not fail the run.
      try {
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      } catch {
        /* The system removes it. */
      }
    },
  };
  return engine;
}
