import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { openBrowser } from '#tests/e2e/earshot-test.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import { killBrowserOf } from '#tests/support/browser-processes.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { newModel, ownerNames, type Model, type OwnerName } from './model.ts';
import { patternIn, wordsIn, type Language } from './words.ts';

const password = 'a quiet harbour at dusk 7';

/** An account, with another device that is signed in to it. */
export interface Owner {
  id: string;
  email: string;
  password: string;
  client: ApiClient;
}

/** Counts the microphones that a page has open. */
function countMicrophones(): void {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices) return;
  const open = devices.getUserMedia.bind(devices);
  const tracks: MediaStreamTrack[] = [];
  devices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    tracks.push(...stream.getAudioTracks());
    return stream;
  };
  Object.assign(globalThis, {
    openMicrophones: () => tracks.filter(({ readyState }) => readyState === 'live').length,
  });
}

async function newOwner(server: EarshotServer, name: OwnerName): Promise<Owner> {
  const client = new ApiClient(server.url);
  const account = { email: `${name.toLowerCase()}@example.org`, password };
  const body = { ...account, displayName: `${name} Example` };
  const { user } = (await client.json('POST', '/auth/signup', { body })) as { user: { id: string } };
  return { id: user.id, ...account, client };
}

/** A server, a browser with a microphone and a profile on disk, two accounts and a listener. All of it is new. */
export class World {
  readonly server: EarshotServer;
  readonly owners: Readonly<Record<OwnerName, Owner>>;
  /** A listener, who has no session. */
  readonly visitor: ApiClient;
  readonly model: Model = newModel();
  readonly errors: string[] = [];
  tabs: Page[] = [];
  /** The tab that acts. */
  acting = 0;
  language: Language = 'en';
  readonly #profile = mkdtempSync(join(tmpdir(), 'earshot-explorer-'));
  #context: BrowserContext | null = null;

  private constructor(server: EarshotServer, owners: Record<OwnerName, Owner>) {
    this.server = server;
    this.owners = owners;
    this.visitor = new ApiClient(server.url);
  }

  static async open(): Promise<World> {
    const server = await EarshotServer.launch();
    const [ana, ben] = [await newOwner(server, 'Ana'), await newOwner(server, 'Ben')];
    const world = new World(server, { Ana: ana, Ben: ben });
    await world.openBrowser();
    return world;
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('no browser is open');
    return this.#context;
  }

  get page(): Page {
    const page = this.tabs[this.acting];
    if (!page) throw new Error('no tab is open');
    return page;
  }

  async openBrowser(): Promise<void> {
    this.#context = await openBrowser({
      profile: this.#profile,
      baseURL: this.server.url,
      serviceWorkers: 'allow',
    });
    await this.#context.grantPermissions(['clipboard-read', 'clipboard-write', 'microphone']);
    await this.#context.addInitScript(countMicrophones);
    this.#context.on('weberror', (event) => {
      this.errors.push(String(event.error()));
    });
    this.tabs = [];
    this.acting = 0;
    await this.openTab();
  }

  async openTab(): Promise<void> {
    const page =
      this.tabs.length === 0
        ? (this.context.pages()[0] ?? (await this.context.newPage()))
        : await this.context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    await page.goto('/');
    this.tabs.push(page);
  }

  /** Ends the browser as a power cut would. */
  async killBrowser(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.context.once('close', resolve);
    });
    killBrowserOf(this.#profile);
    await closed;
    this.#context = null;
  }

  /** A call by the other device of an owner, which signs in again where its session has ended. */
  async ask(name: OwnerName, call: string, body?: unknown): Promise<unknown> {
    const { client } = this.owners[name];
    const [method = '', path = ''] = call.split(' ');
    const options = body === undefined ? {} : { body };
    try {
      return await client.json(method, path, options);
    } catch (error) {
      if (!String(error).includes(': 401 ')) throw error;
      await this.signInElsewhere(name);
      return client.json(method, path, options);
    }
  }

  async signInElsewhere(name: OwnerName): Promise<void> {
    const { client, email } = this.owners[name];
    client.cookie = '';
    await client.json('POST', '/auth/login', { body: { email, password } });
  }

  say(text: string, context = ''): string {
    return wordsIn(this.language, text, context);
  }

  pattern(text: string): RegExp {
    return patternIn(this.language, text);
  }

  /** A button of the acting tab, by its English name. */
  button(text: string): Locator {
    return this.page.getByRole('button', { name: this.say(text), exact: true }).first();
  }

  /** The menu of the signed-in user, in the acting tab. */
  get accountMenu(): Locator {
    return this.page.getByRole('button', { name: /(Ana|Ben) Example/ }).first();
  }

  /** An open dialog or question of the acting tab; messages that go away are none. */
  get dialog(): Locator {
    return this.page
      .locator('[role=dialog]:visible, [role=alertdialog]:visible')
      .and(this.page.locator(':not(li *)'));
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => undefined);
    for (const name of ownerNames) this.owners[name].client.close();
    this.visitor.close();
    await this.server.dispose();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
