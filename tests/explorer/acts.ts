import type { Locator } from '@playwright/test';
import type { Recording, RecordingPage } from '#contract/recordings.ts';
import type { Share } from '#contract/shares.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { until } from '#tests/faults/world/take.ts';
import { activeOwners, isStoring, speakerAt, type ModelTake, type OwnerName } from './model.ts';
import { readDevice } from './reading.ts';
import type { Act } from './act.ts';
import { accountActs } from './account-acts.ts';
import { goTo, readPath } from './navigate.ts';
import { spaceActs } from './space-acts.ts';
import { autonyms } from './words.ts';
import type { World } from './world.ts';

const isShown = (locator: Locator): Promise<boolean> => locator.isVisible();
const isSignedInHere = ({ accountMenu }: World): Promise<boolean> => isShown(accountMenu);
const isAt = async (world: World, path: string): Promise<boolean> => (await readPath(world)) === path;
const isUp = ({ model }: World): boolean => isStoring(model);

/** Whether the acting tab records a take whose menu the viewer has. */
const isCapturing = async (world: World): Promise<boolean> =>
  (await isShown(world.button('Pause'))) || (await isShown(world.button('Resume')));

/** Whether a worker of this browser writes a take. */
const isAnyHeld = async (world: World): Promise<boolean> =>
  (await readDevice(world)).some(({ isRunning }) => isRunning);

/** Closes what is open above the page, as Escape does. */
async function dismiss(world: World): Promise<void> {
  for (let turn = 0; turn < 3 && (await world.dialog.count()) > 0; turn += 1) {
    await world.page.keyboard.press('Escape');
    await until(async () => ((await world.dialog.count()) === 0 ? true : null), 'closing', 2000).catch(
      () => undefined,
    );
  }
}

const press = async (world: World, text: string): Promise<void> => {
  await world.button(text).click();
};

async function signIn(world: World, name: OwnerName): Promise<void> {
  const { page, owners, model } = world;
  const email = page.getByRole('textbox', { name: world.say('Email') });
  // A page whose session has ended opens the dialog, perhaps just now.
  await until(async () => {
    if (await isShown(email)) return true;
    const isOpen = (await world.dialog.count()) > 0;
    // The banner of a running take may cover the button in the header.
    const banner = page
      .getByRole('region', { name: world.say('Sign in') })
      .getByRole('button')
      .first();
    const button = world.button(isOpen ? 'Use email' : 'Sign in');
    await (!isOpen && (await isShown(banner)) ? banner : button).click({ timeout: 1000 });
    return null;
  }, 'the form');
  await email.fill(owners[name].email);
  const field = page.getByLabel(world.say('Password'), { exact: true });
  await field.fill(owners[name].password);
  await field.press('Enter');
  await world.accountMenu.waitFor();
  model.signedIn = name;
  model.left = null;
}

/** Presses *Sign out*, and the answer to its question if a take runs. */
async function signOut(world: World, answer: string | null): Promise<void> {
  await world.accountMenu.click();
  await world.page.getByRole('menuitem', { name: world.say('Sign out'), exact: true }).click();
  if (answer !== null) await world.dialog.getByRole('button', { name: world.say(answer) }).click();
  await world.accountMenu.waitFor({ state: 'hidden' });
  world.model.signedIn = null;
  world.model.left = null;
}

/** Ends the sessions of the signed-in user from another device. */
async function endSession(world: World): Promise<void> {
  const { signedIn } = world.model;
  if (signedIn === null) return;
  await world.signInElsewhere(signedIn);
  await world.ask(signedIn, 'DELETE /auth/sessions', {});
  world.model.signedIn = null;
  world.model.left = signedIn;
  world.model.leftTabs = world.tabs.length;
}

/** The take that the acting tab records. */
async function takeHere(world: World): Promise<ModelTake | undefined> {
  const running = (await readDevice(world)).filter(({ isRunning }) => isRunning).map(({ id }) => id);
  return world.model.takes.find(({ id, tab }) => tab === world.acting && running.includes(id));
}

/** Waits until the acting tab has recorded some sound, and returns which take it is. */
async function untilCaptured(world: World): Promise<string> {
  await world.button('Stop').waitFor();
  const timer = world.page.getByRole('timer').first();
  const before = await timer.innerText();
  await until(async () => ((await timer.innerText()) === before ? null : true), 'sound');
  const inOtherTabs = world.model.takes.filter(({ tab }) => tab !== null && tab !== world.acting);
  return until(
    async () =>
      (await readDevice(world)).find(
        ({ id, isRunning }) => isRunning && !inOtherTabs.some((take) => take.id === id),
      )?.id ?? null,
    'a record of the take',
  );
}

async function record(world: World): Promise<void> {
  const { model, page } = world;
  const isAsked = await isAnyHeld(world);
  await press(world, (await isShown(world.button('Record another'))) ? 'Record another' : 'Record');
  if (isAsked) await world.dialog.getByRole('button', { name: world.say('Record'), exact: true }).click();
  const id = await untilCaptured(world);
  const token = `tk${model.takes.length + 1}x`;
  model.takes.push({
    token,
    id,
    tab: world.acting,
    speakers: [speakerAt(model, world.acting)],
    owner: null,
    shownMs: 0,
    recordedMs: null,
    abruptEnds: 0,
    fate: 'library',
  });
  const title = page.getByRole('textbox', { name: world.say('Title') });
  await title.fill(`Talk ${token}`);
  await title.press('Enter');
}

async function continueTake(world: World, answer: string): Promise<void> {
  const { model } = world;
  await press(world, 'Continue recording');
  const question = world.dialog.getByRole('button', { name: world.pattern(answer) });
  const stop = world.button('Stop');
  await question.or(stop).first().waitFor();
  const isAsked = await isShown(question);
  if (isAsked) await question.click();
  const id = await untilCaptured(world);
  const take = model.takes.find((one) => one.id === id);
  if (!take) return;
  take.speakers.push(speakerAt(model, world.acting));
  take.tab = world.acting;
  for (const link of model.links)
    if (link.takeId === id && link.boundMs === null && !(isAsked && answer === 'Also the new part'))
      link.boundMs = take.recordedMs;
}

/** The word in the title of the take that the acting tab records. */
const runningToken = async (world: World): Promise<string> => (await takeHere(world))?.token ?? '';

/** Types into the field that a press opens. */
async function typeInto(world: World, field: 'INPUT' | 'TEXTAREA', text: string): Promise<void> {
  const focused = () => world.page.evaluate(() => document.activeElement?.tagName ?? '');
  await until(async () => (await focused()) === field || null, 'a field with the focus');
  await world.page.keyboard.type(text);
}

async function addMarker(world: World): Promise<void> {
  await press(world, 'Add marker');
  await typeInto(world, 'INPUT', `Mark ${await runningToken(world)}`);
  await world.page.keyboard.press('Enter');
}

async function addNote(world: World): Promise<void> {
  await press(world, 'Add note');
  await typeInto(world, 'TEXTAREA', `Note ${await runningToken(world)}`);
  await world.page.keyboard.press('Escape');
}

async function importFile(world: World): Promise<void> {
  const { imports, signedIn } = world.model;
  if (signedIn === null) throw new Error('nobody is signed in');
  const token = `im${imports.length + 1}x`;
  imports.push({ token, owner: signedIn });
  await world.page.locator('input[data-import=files]').setInputFiles({
    name: `${token}.wav`,
    mimeType: 'audio/wav',
    buffer: makeWav({ seconds: 2, seed: imports.length }),
  });
}

/** Notes what ends without a stop: the takes that this browser, or one of its tabs, records. */
async function noteAbruptEnd(world: World, tab: number | null): Promise<void> {
  const held = (await readDevice(world)).filter(({ isRunning }) => isRunning).map(({ id }) => id);
  for (const take of world.model.takes)
    if (held.includes(take.id) && (tab === null || take.tab === tab)) take.abruptEnds += 1;
}

/** Whether a recording has a link, which the sheet would offer instead of a new one. */
const hasLink = ({ model: { links } }: World, takeId: string | undefined): boolean =>
  links.some((link) => link.takeId === takeId && link.state === 'on');

async function share(world: World, takeId: string): Promise<void> {
  const { model } = world;
  const before = new Set(model.links.map(({ url }) => url));
  await world.dialog.getByRole('button', { name: world.say('Copy link'), exact: true }).click();
  const owner = model.signedIn;
  if (owner === null) throw new Error('nobody is signed in');
  const url = await until(async () => {
    const { items } = (await world.ask(owner, 'GET /api/shares')) as { items: Share[] };
    const link = items.find((one) => one.recordingId === takeId && !before.has(one.url ?? ''));
    return link?.url ?? null;
  }, 'a link');
  model.links.push({ url, takeId, state: 'on', boundMs: null });
  await dismiss(world);
}

const takeById = (world: World, id: string | undefined): ModelTake | undefined =>
  world.model.takes.find((take) => take.id === id);

/** What a move to the trash, a restore or a deletion means for a take and its links. */
function setFate(world: World, id: string | undefined, fate: ModelTake['fate']): void {
  const take = takeById(world, id);
  if (!take || take.fate === 'erased' || take.fate === 'orphaned') return;
  take.fate = fate;
  // A restore leaves the links off.
  const given = world.model.links.filter((link) => link.takeId === take.id && link.state === 'on');
  for (const link of given) if (fate !== 'library') link.state = 'off';
}

/** The account of this browser, or the one whose session ended last; another if that one can't sign in. */
function nameOf({ model }: World): OwnerName {
  const active = activeOwners(model);
  return (
    [model.signedIn, model.left].find((name) => name !== null && active.includes(name)) ?? active[0] ?? 'Ana'
  );
}

async function newestOf(world: World, query = ''): Promise<Recording | undefined> {
  const { items } = (await world.ask(nameOf(world), `GET /api/recordings?limit=1${query}`)) as RecordingPage;
  return items[0];
}

/** The newest recording, if it is complete and has no link. */
async function newestToShare(world: World): Promise<Recording | undefined> {
  const newest = await newestOf(world);
  return newest?.state === 'ready' && !hasLink(world, newest.id) ? newest : undefined;
}

/** Ends every link, by the owners' other devices. */
async function stopSharing(world: World): Promise<void> {
  const active = activeOwners(world.model);
  for (const name of active) {
    const { items } = (await world.ask(name, 'GET /api/shares?state=active')) as { items: Share[] };
    for (const { id } of items) await world.ask(name, `DELETE /api/shares/${id}`);
  }
  for (const link of world.model.links) if (link.state !== 'suspended') link.state = 'ended';
}

/** The first row of the page about a take of the walk. */
const rowOf = ({ page }: World): Locator =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: /tk\d+x/u })
    .first();

const hasRow = async (world: World, button: string): Promise<boolean> =>
  isShown(
    rowOf(world)
      .getByRole('button', { name: world.say(button) })
      .first(),
  );

/** Presses a button of the first row. */
async function pressInRow(world: World, button: string, fate: ModelTake['fate']): Promise<void> {
  const row = rowOf(world);
  const token = /tk\d+x/u.exec(await row.innerText())?.[0];
  const { model } = world;
  const take = model.takes.find((one) => one.token === token);
  await row
    .getByRole('button', { name: world.say(button) })
    .first()
    .click();
  if (!take) return;
  const links = model.links.filter(({ takeId, state }) => takeId === take.id && state === 'on');
  model.undo = { take, fate: take.fate, links };
  setFate(world, take.id, fate);
}

/** Presses *Undo* of the last move to or out of the trash. */
async function undo(world: World): Promise<void> {
  const { model } = world;
  await press(world, 'Undo');
  if (!model.undo) return;
  setFate(world, model.undo.take.id, model.undo.fate);
  for (const link of model.undo.links) link.state = 'on';
  model.undo = null;
}

/** Turns on the first link of the list of links that is off. */
async function turnLinkOn(world: World): Promise<void> {
  const { model } = world;
  await goTo(world, '/shared');
  const active = async (): Promise<(string | null)[]> => {
    const { items } = (await world.ask(nameOf(world), 'GET /api/shares?state=active')) as { items: Share[] };
    return items.map(({ url }) => url);
  };
  const before = await active();
  await press(world, 'Turn on');
  const turnedOn = await until(async () => {
    const now = await active();
    return now.length > before.length ? now : null;
  }, 'the link');
  for (const link of model.links) if (turnedOn.includes(link.url)) link.state = 'on';
}

const always = (): boolean => true;
const visits = (path: string): Act => ({
  weight: 1,
  isPossible: async (world) => !(await isAt(world, path)),
  run: (world) => goTo(world, path),
});

const signInAs = (name: OwnerName): Act => ({
  weight: 4,
  isPossible: async (world) =>
    isUp(world) && world.model.standings[name] === 'active' && isShown(world.button('Sign in')),
  run: (world) => signIn(world, name),
});

const signOutWith = (answer: string | null): Act => ({
  weight: 2,
  isPossible: async (world) =>
    isUp(world) && (await isSignedInHere(world)) && (await isCapturing(world)) === (answer !== null),
  run: (world) => signOut(world, answer),
});

const pressing = (text: string, weight: number): Act => ({
  weight,
  isPossible: (world) => isShown(world.button(text)),
  run: (world) => press(world, text),
});

const continuing = (answer: string): Act => ({
  weight: 4,
  isPossible: async (world) =>
    !world.model.isDeviceFull &&
    (await isShown(world.button('Continue recording'))) &&
    !(await isAnyHeld(world)),
  run: (world) => continueTake(world, answer),
});

export const acts: Readonly<Record<string, Act>> = {
  'sign in as Ana': signInAs('Ana'),
  'sign in as Ben': signInAs('Ben'),
  'sign out': signOutWith(null),
  'stop and sign out': signOutWith('Stop and sign out'),
  'sign out and keep recording': signOutWith('Sign out, keep recording'),
  'session ends elsewhere': {
    weight: 2,
    isPossible: ({ model }) => model.isServerUp && !model.isServerFull && model.signedIn !== null,
    run: endSession,
  },
  record: {
    weight: 9,
    isPossible: async (world) =>
      !world.model.isDeviceFull &&
      (await isShown(world.button('Record'))) &&
      (await isAt(world, '/')) &&
      !(await isAnyHeld(world)),
    run: record,
  },
  'record in this tab too': {
    weight: 3,
    isPossible: async (world) =>
      !world.model.isDeviceFull &&
      (await isShown(world.button('Record'))) &&
      (await isAt(world, '/')) &&
      !(await isCapturing(world)) &&
      (await readDevice(world)).filter(({ isRunning }) => isRunning).length === 1,
    run: record,
  },
  pause: pressing('Pause', 2),
  resume: pressing('Resume', 4),
  stop: pressing('Stop', 4),
  'continue recording': continuing('Only up to {time}'),
  'continue for listeners': continuing('Also the new part'),
  'add a marker': {
    weight: 1,
    isPossible: async (world) => (await isAt(world, '/')) && (await isCapturing(world)),
    run: addMarker,
  },
  'add a note': {
    weight: 1,
    isPossible: async (world) => (await isAt(world, '/')) && (await isCapturing(world)),
    run: addNote,
  },
  'import a file': {
    weight: 3,
    isPossible: async (world) =>
      isUp(world) &&
      !world.model.isDeviceFull &&
      world.model.signedIn !== null &&
      (await world.page.locator('input[data-import=files]').count()) > 0,
    run: importFile,
  },
  'share live': {
    weight: 3,
    isPossible: async (world) =>
      isUp(world) &&
      world.model.signedIn !== null &&
      (await isAt(world, '/')) &&
      (await isCapturing(world)) &&
      !hasLink(world, (await takeHere(world))?.id),
    run: async (world) => {
      const take = await takeHere(world);
      await world.button('More actions').click();
      await world.page.getByRole('menuitem', { name: world.say('Share live') }).click();
      await share(world, take?.id ?? '');
    },
  },
  'share the newest': {
    weight: 2,
    isPossible: async (world) =>
      isUp(world) && (await isSignedInHere(world)) && (await newestToShare(world)) !== undefined,
    run: async (world) => {
      const newest = await newestOf(world);
      await goTo(world, `/recordings/${newest?.id}`);
      await world.page
        .getByRole('main')
        .getByRole('button', { name: world.say('Share'), exact: true })
        .click();
      await share(world, newest?.id ?? '');
    },
  },
  'stop sharing elsewhere': {
    weight: 1,
    isPossible: ({ model }) =>
      model.isServerUp && !model.isServerFull && model.links.some(({ state }) => state === 'on'),
    run: stopSharing,
  },
  'move to trash': {
    weight: 2,
    isPossible: async (world) => (await isAt(world, '/library')) && (await hasRow(world, 'Move to trash')),
    run: (world) => pressInRow(world, 'Move to trash', 'trash'),
  },
  restore: {
    weight: 4,
    isPossible: async (world) => (await isAt(world, '/trash')) && (await hasRow(world, 'Restore')),
    run: (world) => pressInRow(world, 'Restore', 'library'),
  },
  undo: {
    weight: 3,
    isPossible: async (world) =>
      isUp(world) && world.model.undo !== null && (await isShown(world.button('Undo'))),
    run: undo,
  },
  'turn a link on': {
    weight: 3,
    isPossible: async (world) =>
      isUp(world) &&
      (await isSignedInHere(world)) &&
      world.model.links.some(({ state, takeId }) => {
        const take = takeById(world, takeId);
        return state === 'off' && take?.fate === 'library' && take.owner === world.model.signedIn;
      }),
    run: turnLinkOn,
  },
  'trash elsewhere': {
    weight: 1,
    isPossible: async (world) =>
      world.model.isServerUp && !world.model.isServerFull && (await newestOf(world)) !== undefined,
    run: async (world) => {
      const newest = await newestOf(world);
      await world.ask(nameOf(world), `DELETE /api/recordings/${newest?.id}`);
      setFate(world, newest?.id, 'trash');
    },
  },
  'delete elsewhere': {
    weight: 1,
    isPossible: async (world) =>
      world.model.isServerUp &&
      !world.model.isServerFull &&
      (await newestOf(world, '&trashed=true')) !== undefined,
    run: async (world) => {
      const newest = await newestOf(world, '&trashed=true');
      await world.ask(nameOf(world), `POST /api/recordings/${newest?.id}/purge`).then(
        () => setFate(world, newest?.id, 'deleted'),
        // A take that runs cannot be deleted.
        () => undefined,
      );
    },
  },
  'add to library': pressing('Add to my library', 6),
  'open a tab': {
    weight: 3,
    isPossible: (world) => isUp(world) && world.tabs.length === 1,
    run: async (world) => {
      await world.openTab();
    },
  },
  'close the other tab': {
    weight: 1,
    // What a full device holds in memory ends with its tab.
    isPossible: ({ tabs, model }) => tabs.length === 2 && !model.isDeviceFull,
    run: async (world) => {
      const other = 1 - world.acting;
      await noteAbruptEnd(world, other);
      const [page] = world.tabs.splice(other, 1);
      world.acting = 0;
      if (other < world.model.leftTabs) world.model.leftTabs -= 1;
      await page?.close();
      for (const take of world.model.takes) take.tab = take.tab === other ? null : take.tab && 0;
    },
  },
  'other tab': {
    weight: 3,
    isPossible: (world) => world.tabs.length === 2,
    run: async (world) => {
      world.acting = 1 - world.acting;
      await world.page.bringToFront();
    },
  },
  offline: {
    weight: 2,
    isPossible: (world) => isUp(world),
    run: async (world) => {
      await world.context.setOffline(true);
      world.model.isOnline = false;
    },
  },
  online: {
    weight: 8,
    isPossible: ({ model }) => !model.isOnline,
    run: async (world) => {
      await world.context.setOffline(false);
      world.model.isOnline = true;
    },
  },
  'server killed': {
    weight: 2,
    isPossible: (world) => isUp(world),
    run: async (world) => {
      world.model.isServerUp = false;
      await world.server.end('SIGKILL');
    },
  },
  'server back': {
    weight: 8,
    isPossible: ({ model }) => !model.isServerUp,
    run: async (world) => {
      await world.server.start();
      world.model.isServerUp = true;
    },
  },
  reload: {
    weight: 2,
    isPossible: (world) => isUp(world) && !world.model.isDeviceFull,
    run: async (world) => {
      await noteAbruptEnd(world, world.acting);
      await world.page.reload();
    },
  },
  'kill the browser': {
    weight: 1,
    isPossible: (world) => isUp(world) && !world.model.isDeviceFull,
    run: async (world) => {
      const { model } = world;
      await noteAbruptEnd(world, null);
      await world.killBrowser();
      await world.openBrowser();
      for (const take of model.takes) take.tab = null;
      // Like cookies, the chosen language may not be on the disk yet.
      const language = await world.page.evaluate(() => document.documentElement.lang);
      world.language = language === 'de' ? 'de' : 'en';
      // Chromium writes cookies to disk only occasionally.
      const session: unknown = await (
        await world.context.request.get('/auth/session', { headers: appHeaders })
      ).json();
      const isStillThere =
        typeof session === 'object' && session !== null && 'user' in session && session.user !== null;
      if (!isStillThere) [model.signedIn, model.left] = [null, null];
    },
  },
  'prepare an export': {
    weight: 1,
    isPossible: async (world) => isUp(world) && (await isSignedInHere(world)),
    run: async (world) => {
      await goTo(world, '/settings/data');
      const [first, again] = [world.button('Prepare export'), world.button('Prepare a new export')];
      await first.or(again).first().click();
    },
  },
  'next language': {
    weight: 1,
    // Without a server only the language of the page is there.
    isPossible: async (world) =>
      isUp(world) && isShown(world.page.getByRole('button', { name: autonyms[world.language] }).first()),
    run: async (world) => {
      const next = world.language === 'en' ? 'de' : 'en';
      await world.page.getByRole('button', { name: autonyms[world.language] }).first().click();
      const name = new RegExp(autonyms[next]);
      await world.page
        .getByRole('option', { name })
        .or(world.page.getByRole('radio', { name }))
        .or(world.page.getByRole('menuitemradio', { name }))
        .first()
        .click();
      await until(
        async () => ((await world.page.evaluate(() => document.documentElement.lang)) === next ? true : null),
        'the other language',
      );
      world.language = next;
    },
  },
  'next window size': {
    weight: 1,
    isPossible: always,
    run: async (world) => {
      const isWide = (world.page.viewportSize()?.width ?? 0) > 600;
      await world.page.setViewportSize(isWide ? { width: 390, height: 780 } : { width: 1280, height: 900 });
    },
  },
  ...accountActs,
  ...spaceActs,
  'to the recorder': { ...visits('/'), weight: 4 },
  'to the library': { ...visits('/library'), weight: 2 },
  'to the trash': visits('/trash'),
  'to the storage': visits('/settings/storage'),
};

/** Does one act. */
export async function perform(world: World, name: string): Promise<void> {
  await acts[name]?.run(world);
}

/** Whether an act is possible now. Closes first what is open above the page. */
export async function isPossible(world: World, name: string): Promise<boolean> {
  await dismiss(world);
  return (await acts[name]?.isPossible(world)) ?? false;
}
