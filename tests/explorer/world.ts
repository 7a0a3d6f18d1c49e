import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, Locator, Page, Worker as PageWorker } from '@playwright/test';
import { openBrowser } from '#tests/e2e/earshot-test.ts';
import { ApiClient } from '#tests/support/api-client.ts';
import { killBrowserOf } from '#tests/support/browser-processes.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { smallFileSystem, type SmallFileSystem } from '#tests/support/small-file-system.ts';
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

/** Lets a worker write no more audio, or again. Chromium itself reserves a megabyte at a time, minutes of speech. */
function setFull(isFull: boolean): void {
  const handle: unknown = Reflect.get(globalThis, 'FileSystemSyncAccessHandle');
  if (typeof handle !== 'function') return;
  const prototype = handle.prototype as object;
  const original: unknown = Reflect.get(globalThis, 'writeToDisk') ?? Reflect.get(prototype, 'write');
  const full = (): never => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  Object.assign(globalThis, { writeToDisk: original });
  Object.assign(prototype, { write: isFull ? full : original });
}

const megabytes = 64;
/** Below this much space the server takes no imports. */
const diskReserveBytes = 4_000_000;

async function newOwner(server: EarshotServer, name: string): Promise<Owner> {
  const client = new ApiClient(server.url);
  const account = { email: `${name.toLowerCase()}@example.org`, password };
  const body = { ...account, displayName: `${name} Example` };
  const { user } = (await client.json('POST', '/auth/signup', { body })) as { user: { id: string } };
  return { id: user.id, ...account, client };
}

async function signInByCall({ client, email }: Owner): Promise<void> {
  client.cookie = '';
  await client.json('POST', '/auth/login', { body: { email, password } });
}

/** A server, a browser with a microphone and a profile on disk, two accounts and a listener. All of it is new. */
export class World {
  readonly server: EarshotServer;
  readonly owners: Readonly<Record<OwnerName, Owner>>;
  /** Who administers the server, and never uses this browser. */
  readonly administrator: Owner;
  /** The disk of the server; null where this machine can't give it one of its own. */
  readonly disk: SmallFileSystem | null;
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
  #quotaSession: CDPSession | null = null;

  private constructor({
    server,
    owners,
    administrator,
    disk,
  }: Pick<World, 'server' | 'owners' | 'administrator' | 'disk'>) {
    this.server = server;
    this.owners = owners;
    this.administrator = administrator;
    this.disk = disk;
    this.visitor = new ApiClient(server.url);
  }

  static async open(): Promise<World> {
    const small = smallFileSystem(megabytes);
    const disk = typeof small === 'string' ? null : small;
    const server = await EarshotServer.launch(
      { DISK_RESERVE_BYTES: String(diskReserveBytes) },
      disk?.directory,
    );
    // The first account of a server administers it.
    const administrator = await newOwner(server, 'Root');
    const owners = { Ana: await newOwner(server, 'Ana'), Ben: await newOwner(server, 'Ben') };
    const world = new World({ server, owners, administrator, disk });
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
    page.on('worker', (worker) => void this.#tellWorker(worker));
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    await page.goto('/');
    this.tabs.push(page);
  }

  /** Takes the space of this browser's storage, or gives it back. */
  async setDeviceFull(isFull: boolean): Promise<void> {
    this.model.isDeviceFull = isFull;
    // The browser forgets the quota when the session that set it ends.
    const devtools = (this.#quotaSession ??= await this.context.newCDPSession(this.page));
    await devtools.send('Storage.overrideQuotaForOrigin', {
      origin: new URL(this.server.url).origin,
      ...(isFull && { quotaSize: 1 }),
    });
    if (!isFull) [this.#quotaSession] = [null, await devtools.detach()];
    await Promise.all(
      this.context.pages().flatMap((page) => page.workers().map((worker) => this.#tellWorker(worker))),
    );
  }

  /** A worker that ends meanwhile needs no answer. */
  async #tellWorker(worker: PageWorker): Promise<void> {
    await worker.evaluate(setFull, this.model.isDeviceFull).catch(() => undefined);
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
    await signInByCall(this.owners[name]);
  }

  /** A call by the administrator, who signs in for it: some calls need a session that has just begun. */
  async askAsAdministrator(call: string): Promise<unknown> {
    const [method = '', path = ''] = call.split(' ');
    await signInByCall(this.administrator);
    return this.administrator.client.json(method, path);
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
    this.administrator.client.close();
    this.visitor.close();
    await this.server.dispose();
    this.disk?.unmount();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
