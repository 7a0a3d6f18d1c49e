import { until } from '#tests/faults/world/take.ts';
import type { Act } from './act.ts';
import { activeOwners, isStoring, ownerNames, type OwnerName } from './model.ts';
import { goTo } from './navigate.ts';
import { readDevice } from './reading.ts';
import type { World } from './world.ts';

/** The signed-in user, if another account can sign in after that one is gone, and the server can be told. */
function userWhoMayGo({ model }: World): OwnerName | null {
  const others = activeOwners(model).filter((name) => name !== model.signedIn);
  return model.isServerUp && !model.isServerFull && others.length > 0 ? model.signedIn : null;
}

/** Whether a page of this browser records a take of the signed-in user. */
const isRecordingOwn = async (world: World): Promise<boolean> =>
  (await readDevice(world)).some(({ isRunning, owner }) => isRunning && owner === world.model.signedIn);

const linksOf = ({ model }: World, name: OwnerName) => {
  const ids = model.takes.filter(({ owner }) => owner === name).map(({ id }) => id);
  return model.links.filter(({ takeId }) => ids.includes(takeId));
};

/** Notes that the session of this browser ended because its account can't be used. */
function noteLostSession({ model, tabs }: World, name: OwnerName): void {
  if (model.signedIn !== name) return;
  [model.signedIn, model.left, model.leftTabs] = [null, name, tabs.length];
}

/** Deletes an account, and notes what that means for its takes, links and files. */
async function deleteWith(world: World, name: OwnerName, send: () => Promise<void>): Promise<void> {
  const { model } = world;
  for (const link of linksOf(world, name)) link.state = 'ended';
  await send();
  model.standings[name] = 'deleted';
  const device = await readDevice(world);
  const isWhole = (id: string) => {
    const stored = device.find((take) => take.id === id);
    return stored === undefined || (stored.hasReceipt && !stored.isRunning);
  };
  for (const take of model.takes)
    if (take.owner === name && take.fate !== 'deleted') take.fate = isWhole(take.id) ? 'erased' : 'orphaned';
  model.undo = null;
}

/** Opens the question, and types its answer. */
async function askToDelete(world: World, name: OwnerName): Promise<void> {
  await goTo(world, '/settings/profile');
  await world.button('Delete account…').click();
  await world.dialog
    .getByRole('textbox', { name: world.say('Type your email address to confirm') })
    .fill(world.owners[name].email);
}

async function deleteHere(world: World): Promise<void> {
  const name = world.model.signedIn;
  if (name === null) throw new Error('nobody is signed in');
  await askToDelete(world, name);
  await deleteWith(world, name, async () => {
    await world.dialog
      .getByRole('button', { name: world.say('Delete permanently') })
      .last()
      .click();
    const password = world.dialog.getByLabel(world.say('Password'), { exact: true });
    await until(async () => {
      if (!(await world.accountMenu.isVisible())) return true;
      if (!(await password.isVisible())) return null;
      await password.fill(world.owners[name].password);
      await password.press('Enter');
      return null;
    }, 'the deletion');
  });
  [world.model.signedIn, world.model.left] = [null, null];
}

/** Tries to delete the account in a browser that records in it, which is refused. */
async function tryToDelete(world: World): Promise<void> {
  if (world.model.signedIn === null) throw new Error('nobody is signed in');
  await askToDelete(world, world.model.signedIn);
  const remove = world.dialog.getByRole('button', { name: world.say('Delete permanently') }).last();
  await until(async () => ((await remove.isDisabled()) ? true : null), 'a refusal');
  await world.dialog.getByRole('button', { name: world.say('Keep my account') }).click();
}

async function deleteElsewhere(world: World): Promise<void> {
  const name = world.model.signedIn;
  if (name === null) throw new Error('nobody is signed in');
  // Only a session that has just begun may delete the account.
  await world.signInElsewhere(name);
  await deleteWith(world, name, async () => {
    await world.owners[name].client.json('DELETE', '/auth/account');
    noteLostSession(world, name);
  });
}

async function turnOff(world: World): Promise<void> {
  const name = world.model.signedIn;
  if (name === null) throw new Error('nobody is signed in');
  for (const link of linksOf(world, name)) if (link.state === 'on') link.state = 'suspended';
  world.model.standings[name] = 'disabled';
  await world.askAsAdministrator(`POST /api/admin/users/${world.owners[name].id}/disable`);
  noteLostSession(world, name);
}

async function turnOn(world: World): Promise<void> {
  const { model } = world;
  for (const name of ownerNames) {
    if (model.standings[name] !== 'disabled') continue;
    await world.askAsAdministrator(`POST /api/admin/users/${world.owners[name].id}/enable`);
    model.standings[name] = 'active';
    for (const link of linksOf(world, name)) if (link.state === 'suspended') link.state = 'on';
  }
}

/** What ends an account, or lets it begin again. */
export const accountActs: Readonly<Record<string, Act>> = {
  'delete the account': {
    weight: 1,
    isPossible: async (world) =>
      isStoring(world.model) && userWhoMayGo(world) !== null && !(await isRecordingOwn(world)),
    run: deleteHere,
  },
  'try to delete the account': {
    weight: 1,
    isPossible: async (world) =>
      isStoring(world.model) && userWhoMayGo(world) !== null && (await isRecordingOwn(world)),
    run: tryToDelete,
  },
  'account deleted elsewhere': {
    weight: 1,
    isPossible: (world) => userWhoMayGo(world) !== null,
    run: deleteElsewhere,
  },
  'account turned off': {
    weight: 1,
    isPossible: (world) => userWhoMayGo(world) !== null,
    run: turnOff,
  },
  'account turned on': {
    weight: 6,
    isPossible: ({ model }) =>
      model.isServerUp && !model.isServerFull && Object.values(model.standings).includes('disabled'),
    run: turnOn,
  },
};
