import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { ApiClient } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { signInByCall } from '#tests/support/sign-in-by-call.ts';
import { appAddress, BrowserProcess } from './browser-process.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import { signalFile } from './listen.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { Random } from './random.ts';
import { visitedProfile } from './visited-profile.ts';

/** A progress message of the take worker: `capturedMs` of the timeline at wall-clock time `atMs`. */
export interface CaptureMark {
  capturedMs: number;
  atMs: number;
}

/** Records the worker's progress messages in the page, without changing them. */
export function installProbe(): void {
  const marks: CaptureMark[] = [];
  Object.assign(globalThis, { earshotMarks: marks });
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener('message', ({ data }) => {
        if (data?.type === 'progress') marks.push({ capturedMs: data.progress.capturedMs, atMs: Date.now() });
      });
    }
  };
  // Speech processing would treat the tones as noise.
  localStorage.setItem(
    'earshot.audio',
    JSON.stringify({
      deviceId: null,
      deviceLabel: null,
      quality: 'speech',
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
    }),
  );
}

export interface TrialOptions {
  /** Puts a proxy between browser and server. */
  proxy?: boolean;
  /** The browser's profile; by default a fresh one. */
  profile?: string;
  /** The app was never opened in this browser before, so its service worker is installed during the run. */
  firstVisit?: boolean;
  dataDir?: string;
  /** The browser's microphone; by default the coded signal. */
  microphoneFile?: string;
  signedOut?: boolean;
}

/** One server, one browser and one user, to which a fault happens. */
export class Trial {
  readonly random: Random;
  readonly server: EarshotServer;
  readonly proxy: ChaosProxy | null;
  readonly client: ApiClient;
  readonly profile: string;
  readonly #options: TrialOptions;
  user: { email: string; password: string } = { email: '', password: '' };
  #browser: BrowserProcess | null = null;
  #page: Page | null = null;

  constructor(parts: {
    random: Random;
    server: EarshotServer;
    proxy: ChaosProxy | null;
    profile: string;
    options: TrialOptions;
  }) {
    this.random = parts.random;
    this.server = parts.server;
    this.proxy = parts.proxy;
    this.#options = parts.options;
    this.client = new ApiClient(parts.server.url);
    this.profile = parts.profile;
  }

  /** The app's URL in the browser. */
  readonly url = appAddress;

  get browser(): BrowserProcess {
    if (!this.#browser) throw new Error('no browser is running');
    return this.#browser;
  }

  get page(): Page {
    if (!this.#page) throw new Error('no page is open');
    return this.#page;
  }

  /** Starts the browser, also after a kill, and opens the app. */
  async openBrowser(): Promise<Page> {
    await this.#launch();
    return this.openPage(await this.browser.page(), this.browser.context);
  }

  async #launch(): Promise<void> {
    const serverPort = Number(new URL(this.proxy?.url ?? this.server.url).port);
    this.#browser = await BrowserProcess.launch(this.profile, {
      microphoneFile: this.#options.microphoneFile ?? signalFile(),
      serverPort,
    });
  }

  /** Starts the browser on a URL of the app's origin that does not load the app. */
  async openBare(): Promise<Page> {
    await this.#launch();
    const page = await this.browser.page();
    await page.goto(`${this.url}/robots.txt`);
    return page;
  }

  /**
   * Opens the app in a page of the running browser and makes it the current page. `stay` keeps an already open
   * page as it is.
   */
  async openPage(page: Page, context: BrowserContext, { stay = false } = {}): Promise<Page> {
    this.#page = page;
    if (stay) return page;
    await page.addInitScript(installProbe);
    page.on('dialog', (dialog) => {
      void dialog.accept().catch(() => undefined);
    });
    await context.grantPermissions(['microphone'], { origin: this.url }).catch(() => undefined);
    await page.goto(this.url);
    return page;
  }

  /** Starts the browser, signs the user in, and opens the app. */
  async openSignedIn(): Promise<void> {
    const page = await this.openBare();
    await signInByCall(page, this.user);
    await this.openPage(page, this.browser.context);
  }

  /** Signs the user in on the screen, which notifies other tabs. */
  async signInOnScreen(page: Page): Promise<void> {
    await page.goto(`${this.url}/sign-in`);
    const form = page.locator('form').filter({ has: page.getByRole('textbox', { name: 'Email' }) });
    await form.getByRole('textbox', { name: 'Email' }).fill(this.user.email);
    await form.getByLabel('Password', { exact: true }).fill(this.user.password);
    await form.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: /’s account$/ }).waitFor();
  }

  async dispose(): Promise<void> {
    this.client.close();
    await this.#browser?.kill();
    await this.proxy?.close();
    await this.server.dispose();
    if (!this.#options.profile) rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Creates a trial from the seed, runs `work` with it and cleans up. */
export async function withTrial<T>(
  seed: number,
  options: TrialOptions,
  work: (trial: Trial) => Promise<T>,
): Promise<T> {
  const trial = await oneAtATime(() => openTrial(seed, options));
  try {
    return await work(trial);
  } finally {
    await trial.dispose();
  }
}

async function freshProfile({ firstVisit = false }: TrialOptions): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-fault-'));
  if (!firstVisit) await cp(await visitedProfile(), profile, { recursive: true });
  return profile;
}

async function openTrial(seed: number, options: TrialOptions): Promise<Trial> {
  const profile = options.profile ?? (await freshProfile(options));
  const server = await (options.dataDir === undefined
    ? EarshotServer.launch({ PUBLIC_URL: appAddress })
    : EarshotServer.launch({ PUBLIC_URL: appAddress }, options.dataDir));
  const proxy = options.proxy ? await ChaosProxy.open(server.url) : null;
  const trial = new Trial({ random: new Random(seed), server, proxy, profile, options });
  try {
    trial.user = await trial.client.signUp();
    await (options.signedOut ? trial.openBrowser() : trial.openSignedIn());
    return trial;
  } catch (error) {
    await trial.dispose();
    throw error;
  }
}
