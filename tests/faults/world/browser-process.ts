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
  // Pages of the address bar, loaded for a bar that nobody sees: half of what a start costs.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
];

/** The same for every run, wherever its server listens: what a profile keeps belongs to an address. */
export const appAddress = 'http://localhost';

/** A real Chromium, known by its process, so that it can be killed, stopped and robbed of its parts. */
export class BrowserProcess {
  readonly context: BrowserContext;
  readonly #process: ChildProcess;
  readonly #browser: Browser;

  private constructor(child: ChildProcess, browser: Browser, context: BrowserContext) {
    this.#process = child;
    this.#browser = browser;
    this.context = context;
  }

  /**
   * Starts it on a profile, with a WAV file for a microphone; `serverPort` is what it finds at the app's
   * address.
   */
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

  /** The processes of this browser whose command line contains a text, all of them without one. */
  pids(commandContains = ''): number[] {
    return processTree(this.pid)
      .filter(({ command }) => command.includes(commandContains))
      .map(({ pid }) => pid);
  }

  /** Ends it in order: what it keeps is on the disk then. */
  async quit(): Promise<void> {
    const ended = new Promise((resolve) => {
      this.#process.once('exit', resolve);
    });
    const devtools = await this.#browser.newBrowserCDPSession();
    // It may be gone before it answers.
    await devtools.send('Browser.close').catch(() => undefined);
    await ended;
  }

  /** Ends all of it at once, as a power cut or the kernel would; answers with the moment. */
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
