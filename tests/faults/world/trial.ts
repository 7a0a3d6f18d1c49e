import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { ApiClient } from '../../../bench/api-client.ts';
import { EarshotServer } from '../../support/earshot-server.ts';
import { BrowserProcess } from './browser-process.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import { signalFile } from './listen.ts';
import { Random } from './random.ts';

/** Where the capture stood, as the encode worker told the page: `capturedMs` of the timeline at `atMs` of the clock. */
export interface CaptureMark { capturedMs: number; atMs: number }

/** Notes in the page when what was captured, without touching it. */
function installProbe(): void {
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
  // Processing for speech would take tones for noise.
  localStorage.setItem('earshot.audio', JSON.stringify({ deviceId: null, deviceLabel: null, quality: 'speech', echoCancellation: false, noiseSuppression: false, autoGainControl: false }));
}

export interface TrialOptions {
  /** A proxy between browser and server; on this port, if a number. */
  proxy?: boolean | number;
  profile?: string;
  dataDir?: string;
  /** The browser's microphone; the coded signal without it. */
  microphoneFile?: string;
  signedOut?: boolean;
}

/** One server, one browser, one person: what a fault happens to. */
export class Trial {
  readonly random: Random;
  readonly server: EarshotServer;
  readonly proxy: ChaosProxy | null;
  readonly client: ApiClient;
  readonly profile: string;
  readonly #options: TrialOptions;
  person: { email: string; password: string } = { email: '', password: '' };
  #browser: BrowserProcess | null = null;
  #page: Page | null = null;

  constructor(parts: { random: Random; server: EarshotServer; proxy: ChaosProxy | null; options: TrialOptions }) {
    this.random = parts.random;
    this.server = parts.server;
    this.proxy = parts.proxy;
    this.#options = parts.options;
    this.client = new ApiClient(parts.server.url);
    this.profile = parts.options.profile ?? mkdtempSync(join(tmpdir(), 'earshot-fault-'));
  }

  get url(): string { return this.proxy?.url ?? this.server.url; }

  get browser(): BrowserProcess {
    if (!this.#browser) throw new Error('no browser runs');
    return this.#browser;
  }

  get page(): Page {
    if (!this.#page) throw new Error('no page is open');
    return this.#page;
  }

  /** Starts the browser, anew after a kill, and opens the app. */
  async openBrowser(): Promise<Page> {
    this.#browser = await BrowserProcess.launch(this.profile, this.#options.microphoneFile ?? signalFile());
    return this.openPage(await this.#browser.page(), this.#browser.context);
  }

  /** Starts the browser on an address of the app's origin that runs nothing of it. */
  async openBare(): Promise<Page> {
    this.#browser = await BrowserProcess.launch(this.profile, this.#options.microphoneFile ?? signalFile());
    const page = await this.#browser.page();
    await page.goto(`${this.url}/robots.txt`);
    return page;
  }

  /** Opens the app in a page of the running browser and goes on with it; one that is open already can be stayed on. */
  async openPage(page: Page, context: BrowserContext, { stay = false } = {}): Promise<Page> {
    this.#page = page;
    if (stay) return page;
    await page.addInitScript(installProbe);
    page.on('dialog', (dialog) => { void dialog.accept().catch(() => undefined); });
    await context.grantPermissions(['microphone'], { origin: this.url }).catch(() => undefined);
    await page.goto(this.url);
    return page;
  }

  /** Signs the person in at the page that is open. */
  async signIn(page = this.page): Promise<void> {
    await page.evaluate(async (body) => {
      const reply = await fetch('/auth/login', { method: 'POST', headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot' }, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(await reply.text());
    }, this.person);
    await page.reload();
  }

  /** Signs the person in as people do, on the screen: other tabs hear of it. */
  async signInOnScreen(page: Page): Promise<void> {
    await page.goto(`${this.url}/sign-in`);
    const form = page.locator('form').filter({ has: page.getByRole('textbox', { name: 'E-mail' }) });
    await form.getByRole('textbox', { name: 'E-mail' }).fill(this.person.email);
    await form.getByLabel('Password', { exact: true }).fill(this.person.password);
    await form.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: /^Account/ }).waitFor();
  }

  async dispose(): Promise<void> {
    this.client.close();
    await this.#browser?.kill();
    await this.proxy?.close();
    await this.server.dispose();
    if (!this.#options.profile) rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Gives a fault its world, made from the seed, and cleans up after it. */
export async function withTrial<T>(seed: number, options: TrialOptions, work: (trial: Trial) => Promise<T>): Promise<T> {
  const server = await (options.dataDir === undefined ? EarshotServer.launch() : EarshotServer.launch({}, options.dataDir));
  const proxy = options.proxy ? await ChaosProxy.open(server.url, options.proxy === true ? 0 : options.proxy) : null;
  const trial = new Trial({ random: new Random(seed), server, proxy, options });
  try {
    trial.person = await trial.client.signUp();
    await trial.openBrowser();
    if (!options.signedOut) await trial.signIn();
    return await work(trial);
  } finally {
    await trial.dispose();
  }
}
