import type { BrowserContext, Page } from '@playwright/test';
import { expect } from '#tests/e2e/earshot-test.ts';
import { shareRecording } from '#tests/e2e/listening-steps.ts';
import { listed, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from '#tests/e2e/steps.ts';
import { newId } from '#tests/support/api-client.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { uploadGappedRecording } from '#tests/support/gapped-recording.ts';

/** A state of a screen, and the steps to it; `leave` prepares the next scene. */
export interface Scene {
  name: string;
  open(page: Page): Promise<void>;
  leave?(page: Page): Promise<void>;
}

/** Loads a page and waits until its heading exists and nothing is loading. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.getByRole('main').getByText('Opening…')).toHaveCount(0);
}

const at = (path: string): Scene => ({ name: path, open: (page) => visit(page, path) });
const escape = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toHaveCount(0);
};

/** Scenes that do not need a session. */
export const guestScenes: Scene[] = [
  ...[
    '/',
    '/library',
    '/shared',
    '/trash',
    '/settings/language',
    '/settings/audio',
    '/settings/storage',
    '/sign-in',
    '/sign-up',
    '/reset-password?token=none',
    '/nowhere',
  ].map(at),
  {
    name: 'the language picker',
    open: async (page) => {
      await visit(page, '/');
      await page.getByRole('button', { name: /Language/ }).click();
      await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'the appearance menu',
    open: async (page) => {
      await page.getByRole('button', { name: 'Appearance' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'the shortcut sheet',
    open: async (page) => {
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'the sign-in dialog',
    open: async (page) => {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeVisible();
    },
    leave: escape,
  },
];

/** Scenes of an account; a user must be signed in. */
export const accountScenes: Scene[] = [
  '/library',
  '/shared',
  ...['profile', 'security', 'devices', 'status', 'people', 'providers', 'sharing', 'storage', 'data'].map(
    (section) => `/settings/${section}`,
  ),
].map(at);

/** Scenes of one recording in the signed-in user's library. */
export const recordingScenes = (id: string): Scene[] => [
  {
    name: 'the library with rows',
    open: async (page) => {
      await visit(page, '/library');
      await expect(page.getByRole('link', { name: /With gaps/ })).toBeVisible();
    },
  },
  {
    name: 'the menu of the account',
    open: async (page) => {
      await page.getByRole('button', { name: /’s account$/ }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'the rename dialog',
    open: async (page) => {
      await page.getByRole('link', { name: /With gaps/ }).focus();
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'the player with markers and gaps',
    open: async (page) => {
      await visit(page, `/recordings/${id}`);
      await expect(page.getByRole('slider', { name: 'Position' })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Gaps' })).toBeVisible();
      await expect(page.getByText('Answer', { exact: true }).first()).toBeVisible();
    },
  },
  {
    name: 'a toast',
    open: async (page) => {
      await page
        .getByRole('button', { name: 'Move to trash', exact: true })
        .or(page.getByRole('menuitem', { name: 'Move to trash', exact: true }))
        .first()
        .click();
      await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible();
    },
  },
  {
    name: 'the trash with rows',
    open: async (page) => {
      await visit(page, '/trash');
      await expect(page.getByRole('button', { name: 'Restore', exact: true })).toBeVisible();
    },
  },
  {
    name: 'the confirmation of permanent deletion',
    open: async (page) => {
      await page.getByRole('button', { name: 'Delete permanently' }).first().click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
  },
];

/** Scenes of work with recordings: filtering, selecting, tagging, playing, taking notes, downloading. */
export const handlingScenes = (id: string): Scene[] => [
  {
    name: 'the filters of the library',
    open: async (page) => {
      await visit(page, '/library');
      await page.getByRole('button', { name: /^Filters/ }).click();
      await expect(page.getByRole('combobox', { name: 'Source' })).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'a selected row with its actions',
    open: async (page) => {
      await visit(page, '/library');
      await page.getByRole('link', { name: /With gaps/ }).focus();
      await page.keyboard.press('Space');
      await expect(page.getByText('1 selected')).toBeVisible();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'the dialog of the tags',
    open: async (page) => {
      await page.getByRole('link', { name: /With gaps/ }).focus();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: /^Tags/ }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'a transcript, of which a line is being corrected',
    open: async (page) => {
      await visit(page, `/recordings/${id}`);
      const line = page.getByRole('listitem').filter({ hasText: 'The harbour' });
      await line.getByRole('link').focus();
      await page.keyboard.press('e');
      await expect(page.getByRole('textbox', { name: /^Text of the line/ })).toBeFocused();
    },
    leave: escape,
  },
  {
    name: 'the playback options',
    open: async (page) => {
      await visit(page, `/recordings/${id}`);
      await page.getByRole('button', { name: 'Playback options' }).click();
      await expect(page.getByRole('combobox', { name: 'Sleep timer' })).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'a selection, and a note being written',
    open: async (page) => {
      await page.getByRole('slider', { name: 'Position' }).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+ArrowRight');
      await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('textbox', { name: /^Note at/ }).fill('**Names**\n- one\n- two');
    },
    leave: async (page) => {
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('button', { name: /^Edit the note/ })).toBeVisible();
    },
  },
  {
    name: 'the download dialog',
    open: async (page) => {
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Download recording' })).toBeVisible();
    },
    leave: escape,
  },
  {
    name: 'the settings of a new link',
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Share', exact: true }).click();
      await expect(page.getByRole('dialog', { name: /^Share/ }).getByLabel('Expires')).toBeVisible();
    },
  },
  {
    name: 'the toast of a new link',
    open: async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page
        .getByRole('dialog', { name: /^Share/ })
        .getByRole('button', { name: 'Copy link', exact: true })
        .click();
      await expect(page.getByText(/^Link copied\./)).toBeVisible();
    },
  },
  {
    name: 'the settings of a link',
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Share', exact: true }).click();
      const sheet = page.getByRole('dialog', { name: /^Share/ });
      await sheet.getByRole('button', { name: 'Change', exact: true }).click();
      await sheet.getByText('More options').click();
      await sheet.getByRole('button', { name: 'QR code' }).click();
      await sheet.getByText('How safe is this?').click();
      await expect(sheet.getByText('A voice can be recognised without a name.')).toBeVisible();
      await expect(sheet.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
    },
  },
  {
    name: 'changed settings of a link',
    open: async (page) => {
      const sheet = page.getByRole('dialog', { name: /^Share/ });
      await sheet.getByRole('combobox', { name: 'Shared part' }).selectOption('part');
      await sheet.getByRole('button', { name: 'Add password' }).click();
      await expect(sheet.getByRole('button', { name: 'Save and copy', exact: true })).toBeVisible();
    },
    leave: async (page) => {
      await page.keyboard.press('Escape');
      await page
        .getByRole('alertdialog', { name: 'Discard changes?' })
        .getByRole('button', { name: 'Discard', exact: true })
        .click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    },
  },
  {
    name: 'the page of links',
    open: async (page) => {
      await visit(page, '/shared');
      await expect(page.getByRole('main').getByRole('button', { name: 'Copy link' })).toBeVisible();
    },
  },
];

/** Scenes of a recorder in one tab while another tab of the browser records. */
export const secondTabScenes: Scene[] = [
  {
    name: 'the notice that another tab records',
    open: async (page) => {
      await visit(page, '/');
      await expect(page.getByText('Recording in another tab')).toBeVisible();
    },
  },
  {
    name: 'the question before a second take',
    open: async (page) => {
      await page.getByRole('button', { name: 'Record', exact: true }).click();
      await expect(page.getByRole('alertdialog', { name: 'Record in this tab too?' })).toBeVisible();
    },
    leave: escape,
  },
];

/** Scenes from the first press of Record to the card of the finished take. */
export const takeScenes: Scene[] = [
  {
    name: 'a running take',
    open: async (page) => {
      await visit(page, '/');
      await startTake(page);
      await page.getByRole('button', { name: 'Add marker', exact: true }).click();
      await untilClock(page, 1000);
    },
  },
  {
    name: 'a running take seen from the library',
    open: async (page) => {
      await page.getByRole('link', { name: 'Library', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
    },
  },
  {
    name: 'a take that is muted for listeners',
    open: async (page) => {
      await page.getByRole('link', { name: 'Record', exact: true }).click();
      const [recording] = await listed(page);
      await shareRecording(page, recording?.id ?? '', { live: { delayMs: 10_000, isHeldAfterStop: false } });
      await expect(page.getByText('On air', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Mute for listeners', exact: true }).click();
      await expect(page.getByText('Still being recorded. Listeners hear silence.')).toBeVisible();
    },
    leave: async (page) => {
      await page.getByRole('button', { name: 'Unmute for listeners', exact: true }).click();
      await expect(page.getByText('Still being recorded. Listeners hear silence.')).toHaveCount(0);
    },
  },
  {
    name: 'a paused take',
    open: async (page) => {
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
    },
  },
  {
    name: 'the card of a finished take',
    open: async (page) => {
      await stopTake(page);
      await expect(
        page
          .getByRole('button', { name: 'Record', exact: true })
          .or(page.getByRole('button', { name: /New recording|Record another/ }))
          .first(),
      ).toBeVisible();
    },
  },
];

export const rejectedScene: Scene = {
  name: 'a blocked microphone',
  open: async (page) => {
    await visit(page, '/');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'The microphone is blocked' })).toBeVisible();
  },
};

/** Signs a user up and stores a recording with two gaps and two markers for them. Returns the recording's id. */
export async function withRecording(page: Page, context: BrowserContext, url: string): Promise<string> {
  await signUp(page);
  const id = await uploadGappedRecording(url, await cookieHeader(context, url), {
    durationMs: 22_000,
    segments: [
      { startMs: 0, durationMs: 3000 },
      { startMs: 4400, durationMs: 3600 },
      { startMs: 20_000, durationMs: 2000 },
    ],
    gaps: [
      { atMs: 3000, durationMs: 1400, cause: 'microphone-lost' },
      { atMs: 8000, durationMs: 12_000, cause: 'page-killed' },
    ],
  });
  await onlyReadyRecording(page);
  for (const [index, label] of ['Question', 'Answer'].entries()) {
    const marker = { id: newId(), atMs: 500 + 1000 * index, label };
    const reply = await context.request.post(`/api/recordings/${id}/markers`, {
      headers: appHeaders,
      data: marker,
    });
    expect(reply.status(), await reply.text()).toBe(201);
  }
  for (const [index, text] of ['What do you remember?', 'The harbour, and the boats.'].entries()) {
    const reply = await context.request.put(`/api/recordings/${id}/transcript/corrections/${newId()}`, {
      headers: appHeaders,
      data: { fromMs: 1000 * index, toMs: 1000 * index + 900, text, revision: 0 },
    });
    expect(reply.status(), await reply.text()).toBe(201);
  }
  return id;
}
