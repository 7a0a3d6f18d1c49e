import type { Page } from '@playwright/test';
import type { Gap, Recording, RecordingPage } from '#contract/recordings.ts';
import type { Share } from '#contract/shares.ts';
import { takesOnDevice } from '#tests/e2e/steps.ts';
import { activeOwners, ownerNames, type OwnerName } from './model.ts';
import type { World } from './world.ts';
import { wordsIn, type Language } from './words.ts';

/** What one tab shows. */
export interface Surface {
  tab: number;
  path: string;
  language: Language;
  documentTitle: string;
  /** Everything that can be read on the page: text, fields, labels and what the system's media keys show. */
  text: string;
  /** The clock of the recorder or of its bar; 0 without one. */
  clockMs: number;
  /** Whether this tab records, as its buttons say. */
  isCapturing: boolean;
  openMicrophones: number;
  /** The rows that lead to a recording. */
  rows: { id: string; text: string }[];
  /** The result after Stop. */
  card: { id: string | null; text: string } | null;
  player: { id: string; text: string; lengthMs: number | null } | null;
}

/** What this browser's database says of a take. */
export interface DeviceTake {
  id: string;
  owner: OwnerName | null;
  title: string;
  state: 'recording' | 'stopped';
  durationMs: number | null;
  hasReceipt: boolean;
  isTrashed: boolean;
  /** Whether a worker records it now. */
  isRunning: boolean;
  gaps: Gap[];
}

/** What the server says to an owner. */
export interface Account {
  name: OwnerName;
  listed: Recording[];
  trashed: Recording[];
  shares: Share[];
}

export interface Reading {
  surfaces: Surface[];
  device: DeviceTake[];
  /** Of those who can sign in. Null while there is no server. */
  accounts: Account[] | null;
  /** What a listener without a session gets. */
  heard: { url: string; status: number; durationMs: number; isLive: boolean }[];
  /** Uncaught errors of pages. */
  errors: string[];
}

interface Labels {
  stop: string;
  pause: string;
  resume: string;
  position: string;
}

/** Runs in the page. */
function readPage({ stop, pause, resume, position }: Labels) {
  const textOf = (element: Element | null | undefined): string =>
    element instanceof HTMLElement ? element.innerText.replaceAll(/\s+/g, ' ').trim() : '';
  const all = (selector: string, root: ParentNode = document): Element[] => [
    ...root.querySelectorAll(selector),
  ];
  const attribute = (element: Element | null | undefined, name: string): string =>
    element?.getAttribute(name) ?? '';
  const buttons = new Set(
    all('button')
      .filter((button) => button.getClientRects().length > 0)
      .map((button) => attribute(button, 'aria-label') || textOf(button)),
  );
  const clockMs = (): number => {
    const clock = textOf(document.querySelector('[role=timer]')).replaceAll(/[^\d:.]/g, '');
    return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
  };
  const idIn = (link: Element): string => /^\/recordings\/([\w-]+)/.exec(attribute(link, 'href'))?.[1] ?? '';
  const readCard = () => {
    const card = document.querySelector('main section:has(input)');
    const ids = card ? all('a[href^="/recordings/"]', card).map(idIn) : [];
    return card && { id: ids[0] ?? null, text: textOf(card) };
  };
  const readPlayer = () => {
    const article = document.querySelector('main article');
    const length = attribute(article?.querySelector(`[aria-label="${position}"]`), 'aria-valuemax');
    return (
      article && {
        id: location.pathname.split('/')[2] ?? '',
        text: textOf(article),
        lengthMs: length === '' ? null : Number(length),
      }
    );
  };
  const microphones: unknown = Reflect.get(globalThis, 'openMicrophones');
  return {
    path: location.pathname,
    documentTitle: document.title,
    text: [
      document.title,
      document.body.innerText,
      ...all('input, textarea').map((field) => ('value' in field ? String(field.value) : '')),
      ...all('[aria-label]').map((element) => attribute(element, 'aria-label')),
      ...all('[title]').map((element) => attribute(element, 'title')),
      navigator.mediaSession.metadata?.title ?? '',
    ].join('\n'),
    clockMs: clockMs(),
    isCapturing: buttons.has(stop) && (buttons.has(pause) || buttons.has(resume)),
    openMicrophones: typeof microphones === 'function' ? Number(microphones()) : 0,
    rows: all('li a[href^="/recordings/"]').map((link) => ({
      id: idIn(link),
      text: textOf(link.closest('li')),
    })),
    card: readCard(),
    player: readPlayer(),
  };
}

async function readSurface(page: Page, tab: number, language: Language): Promise<Surface> {
  const say = (text: string) => wordsIn(language, text);
  const labels = {
    stop: say('Stop'),
    pause: say('Pause'),
    resume: say('Resume'),
    position: say('Position'),
  };
  return { tab, language, ...(await page.evaluate(readPage, labels)) };
}

export async function readDevice(world: World): Promise<DeviceTake[]> {
  const takes = await takesOnDevice(world.page);
  const held = await world.page.evaluate(
    async () => (await navigator.locks.query()).held?.map(({ name }) => name ?? '') ?? [],
  );
  return takes.map((take) => ({
    id: take.id,
    owner: ownerNames.find((name) => world.owners[name].id === take.ownerId) ?? null,
    title: take.title,
    state: take.state,
    durationMs: take.durationMs,
    hasReceipt: take.receiptAtMs !== null,
    isTrashed: take.deletedAtMs !== null,
    // A worker that only uploads holds the lock too.
    isRunning: take.state === 'recording' && held.includes(`recording:${take.id}`),
    gaps: take.gaps,
  }));
}

async function readAccount(world: World, name: OwnerName): Promise<Account> {
  const list = async (query: string) =>
    ((await world.ask(name, `GET /api/recordings?limit=100${query}`)) as RecordingPage).items;
  const { items: shares } = (await world.ask(name, 'GET /api/shares')) as { items: Share[] };
  return { name, listed: await list(''), trashed: await list('&trashed=true'), shares };
}

async function listen(world: World, url: string): Promise<Reading['heard'][number]> {
  const { status, body } = await world.visitor.send({
    method: 'GET',
    path: `${new URL(url).pathname}/recording`,
  });
  const answer: unknown = status === 200 ? JSON.parse(body.toString()) : null;
  const hasLength = typeof answer === 'object' && answer !== null && 'durationMs' in answer;
  const isLive = hasLength && 'state' in answer && answer.state === 'live';
  return { url, status, isLive, durationMs: hasLength ? Number(answer.durationMs) : 0 };
}

/** Reads every open tab, this browser's database, what the server says to each owner, and what listeners get. */
export async function readAll(world: World): Promise<Reading> {
  const { isServerUp, links } = world.model;
  const surfaces = await Promise.all(world.tabs.map((page, tab) => readSurface(page, tab, world.language)));
  return {
    surfaces,
    device: await readDevice(world),
    accounts: isServerUp
      ? await Promise.all(activeOwners(world.model).map((name) => readAccount(world, name)))
      : null,
    heard: isServerUp ? await Promise.all(links.map(({ url }) => listen(world, url))) : [],
    errors: world.errors,
  };
}
