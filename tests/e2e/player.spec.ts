import type { Locator } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { newId } from '#tests/support/factories.ts';
import { callAs } from './listening-steps.ts';
import { openSpeech, positionSlider } from './player-steps.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { listed, positionMs } from './steps.ts';

test(
  'plays a recording, seeks by key and by a click on the waveform, and opens at the time in its URL',
  { tag: '@core' },
  async ({ page }) => {
    const { id } = await openSpeech(page);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => positionMs(page)).toBeGreaterThan(500);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();

    const slider = positionSlider(page);
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => positionMs(page)).toBe(0);
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => Math.abs((await positionMs(page)) - 5000)).toBeLessThanOrEqual(50);

    const box = await slider.boundingBox();
    if (!box) throw new Error('the waveform has no box');
    await slider.click({ position: { x: box.width / 4, y: box.height / 2 } });
    const durationMs = Number(await slider.getAttribute('aria-valuemax'));
    await expect
      .poll(async () => Math.abs((await positionMs(page)) - durationMs / 4))
      .toBeLessThanOrEqual(Math.max(50, (durationMs / box.width) * 2));

    await page.goto('about:blank');
    await page.goto(`/recordings/${id}#t=3.5`);
    await expect.poll(async () => Math.abs((await positionMs(page)) - 3500)).toBeLessThanOrEqual(50);
  },
);

test('M sets a marker and focuses its name field, where no typed letter is a shortcut', async ({ page }) => {
  const { id } = await openSpeech(page);
  const labels = () =>
    page.evaluate(
      async (recordingId) =>
        (
          (await (await fetch(`/api/recordings/${recordingId}/markers`)).json()) as {
            items: { label: string }[];
          }
        ).items.map(({ label }) => label),
      id,
    );
  const name = page.getByRole('textbox', { name: 'Marker name' });
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('m');
  await page.keyboard.type('The smooth question');
  await expect(name).toHaveValue('The smooth question');
  await page.keyboard.press('Enter');
  await expect.poll(labels).toEqual(['The smooth question']);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Shift+M');
  await expect(page.getByRole('button', { name: 'Unmute', exact: true })).toBeVisible();

  const add = page.getByRole('button', { name: 'Add marker', exact: true }).first();
  await add.click();
  await expect(name).toBeFocused();
  await page.keyboard.type('slip');
  await page.keyboard.press('Escape');
  await expect(add).toBeFocused();
  await expect.poll(async () => (await labels()).toSorted()).toEqual(['', 'The smooth question']);
});

test('a marker found by search is shown in its row, and opens the recording at its time by press and by key', async ({
  page,
}) => {
  const { id } = await openSpeech(page);
  await page.evaluate(async (recordingId) => {
    for (const [atMs, label] of [
      [4200, 'Ask not: the Question'],
      [7000, 'another question'],
    ]) {
      await fetch(`/api/recordings/${recordingId}/markers`, {
        method: 'POST',
        headers: { 'x-requested-with': 'earshot', 'content-type': 'application/json' },
        body: JSON.stringify({ id: crypto.randomUUID(), atMs, label }),
      });
    }
  }, id);
  await page.goto('/library');
  await page.getByRole('searchbox', { name: 'Search recordings' }).fill('quest');
  const rows = page.getByRole('list', { name: 'Recordings' });
  const hit = rows.getByRole('link', { name: /Marker at .*00:04.* Ask not: the Question/ });
  await expect(hit).toBeVisible();
  await expect(hit.locator('mark')).toHaveText('Quest');
  await expect(rows.getByText('and 1 more')).toBeVisible();
  await hit.click();
  await expect.poll(async () => Math.abs((await positionMs(page)) - 4200)).toBeLessThanOrEqual(50);
  expect(new URL(page.url()).hash).toBe('#t=4.2');

  await page.goBack();
  await rows.getByRole('link').first().focus();
  await page.keyboard.press('Tab');
  await expect(hit).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(async () => Math.abs((await positionMs(page)) - 4200)).toBeLessThanOrEqual(50);
});

test('renames, marks and trashes a recording, and Undo restores it', { tag: '@core' }, async ({ page }) => {
  const { id } = await openSpeech(page);
  await page.getByRole('button', { name: 'Rename', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The well, مقابلة (1961)');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The well');
  await expect.poll(async () => (await listed(page))[0]?.title).toBe('The well, مقابلة (1961)');

  await page.getByRole('button', { name: 'Add marker', exact: true }).first().click();
  await expect
    .poll(async () =>
      page.evaluate(
        async (recordingId) =>
          ((await (await fetch(`/api/recordings/${recordingId}/markers`)).json()) as { items: unknown[] })
            .items.length,
        id,
      ),
    )
    .toBe(1);

  await page
    .getByRole('button', { name: 'Move to trash', exact: true })
    .or(page.getByRole('menuitem', { name: 'Move to trash', exact: true }))
    .first()
    .click();
  await expect.poll(async () => (await listed(page)).length).toBe(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await listed(page)).length).toBe(1);
});

test('on a small phone Play is above the navigation, however long the title, and no tool has a line for itself', async ({
  page,
}) => {
  const { id } = await openSpeech(page);
  await callAs(page, `PATCH /api/recordings/${id}`, {
    title: 'Grandmother on the war years and on what happened after them',
  });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Grandmother');
  const player = page.getByRole('region', { name: 'Player' });
  const boxOf = async (control: Locator) => {
    const box = await control.boundingBox();
    if (!box) throw new Error('not on the screen');
    return { top: box.y, bottom: box.y + box.height };
  };
  const playEnd = (await boxOf(player.getByRole('button', { name: 'Play', exact: true }))).bottom;
  const navigation = await boxOf(page.getByRole('link', { name: 'Library', exact: true }).last());
  expect(playEnd).toBeLessThanOrEqual(navigation.top);

  await page.setViewportSize({ width: 390, height: 844 });
  const marker = await boxOf(player.getByRole('button', { name: 'Add marker', exact: true }));
  const zoom = await boxOf(player.getByRole('button', { name: 'Zoom in', exact: true }).last());
  expect(zoom.top).toBeLessThan(marker.bottom);
  expect(zoom.bottom).toBeGreaterThan(marker.top);
});

test('ten thousand markers are in the page only where they are seen, and the keyboard and a form reach them all', async ({
  page,
}) => {
  const { id } = await openSpeech(page);
  const { labelsTogether, markersPerRecording } = limits;
  for (let first = 0; first < markersPerRecording; first += labelsTogether) {
    const markers = Array.from({ length: labelsTogether }, (_, index) => ({
      id: newId(),
      atMs: first + index,
      label: `Remark ${first + index}`,
    }));
    await callAs(page, `POST /api/recordings/${id}/labels`, { markers, notes: [] });
  }
  await page.reload();
  const list = page.getByRole('region', { name: 'Markers', exact: true }).getByRole('list');
  const name = (index: number) => list.getByRole('button', { name: `Remark ${index}`, exact: true });
  await expect(name(0)).toBeVisible();
  expect(await list.getByRole('listitem').count()).toBeLessThan(60);
  await expect(list.getByRole('listitem').first()).toHaveAttribute(
    'aria-setsize',
    String(markersPerRecording),
  );

  await name(0).press('Enter');
  const form = page.getByRole('textbox', { name: 'Marker name' });
  await expect(form).toBeFocused();
  await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await expect(name(markersPerRecording - 1)).toBeVisible();
  await page.keyboard.type('!');
  await expect(form).toHaveValue('Remark 0!');
  await page.keyboard.press('Escape');
  await expect(name(0)).toBeFocused();

  await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await expect(name(markersPerRecording - 1)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(name(1)).toBeFocused();
  await expect(name(1)).toBeInViewport();
  await page.keyboard.press('Delete');
  await expect(name(2)).toBeFocused();
  await expect(name(1)).toHaveCount(0);
});
