import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { findBrowser } from '#tests/support/find-browser.ts';
import { processTree, signalAll } from './process-tree.ts';

const flags = [
  '--headless=new',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--remote-debugging-port=0',
  '--window-size=1280,900',
  '--disable-dev-shm-usage',
  '--lang=en-GB',
  '--password-store=basic',
  // Turns off pages of an address bar that headless mode does not show. They take half of the start-up time.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
];

/** The same for every run, whatever port the server has, because a profile's data belongs to an origin. */
export const appAddress = 'http://localhost';

/** A real Chromium whose process is known, so that it and its child processes can be killed and stopped. */
export class BrowserProcess {
  readonly context: BrowserContext;
  readonly #process: ChildProcess;
  readonly #browser: Browser;

  private constructor(child: ChildProcess, browser: Browser, context: BrowserContext) {
    this.#process = child;
    this.#browser = browser;
    this.context = context;
  }

  /** Starts it on a profile, with a WAV file as microphone and the app's address mapped to `serverPort`. */
  static async launch(
    profile: string,
    { microphoneFile, serverPort }: { microphoneFile: string; serverPort: number },
  ): Promise<BrowserProcess> {
    const portFile = join(profile, 'DevToolsActivePort');
    rmSync(portFile, { force: true });
    const { hostname } = new URL(appAddress);
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const child = spawn(
      findBrowser(),
      [
        ...flags,
        ...sandbox,
        `--use-file-for-fake-audio-capture=${microphoneFile}`,
        `--host-resolver-rules=MAP ${hostname}:80 127.0.0.1:${serverPort}`,
        `--user-data-dir=${profile}`,
        'about:blank',
      ],
      { stdio: 'ignore' },
    );
    while (!existsSync(portFile) || !readFileSync(portFile, 'utf8').includes('\n')) {
      if (child.exitCode !== null) throw new Error(`Chromium ended with ${child.exitCode}`);
      await wait(30);
    }
    const browser = await chromium.connectOverCDP(
      `http://127.0.0.1:${readFileSync(portFile, 'utf8').split('\n')[0]}`,
    );
    const [context] = browser.contexts();
    if (!context) throw new Error('Chromium has no context');
    return new BrowserProcess(child, browser, context);
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  async page(): Promise<Page> {
    return this.context.pages()[0] ?? this.context.newPage();
  }

  /** The processes of this browser whose command line contains a text; by default all of them. */
  pids(commandContains = ''): number[] {
    return processTree(this.pid)
      .filter(({ command }) => command.includes(commandContains))
      .map(({ pid }) => pid);
  }

  /** Closes it in an orderly way, so that its data is on disk. */
  async quit(): Promise<void> {
    const ended = new Promise((resolve) => {
      this.#process.once('exit', resolve);
    });
    const devtools = await this.#browser.newBrowserCDPSession();
    // It may exit before it responds.
    await devtools.send('Browser.close').catch(() => undefined);
    await ended;
  }

  /** Kills all of its processes, as a power cut or the kernel would. Returns the time of the kill. */
  async kill(): Promise<number> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return Date.now();
    const ended = new Promise((resolve) => {
      this.#process.once('exit', resolve);
    });
    const pids = this.pids();
    const atMs = Date.now();
    signalAll(pids, 'SIGKILL');
    await ended;
    await this.#browser.close().catch(() => undefined);
    return atMs;
  }
}
