import { expect, test } from './earshot-test.ts';
import { recordAndOpen } from './player-steps.ts';
import { listed, positionMs } from './steps.ts';

test('a recording plays, seeks by key to the exact place, and opens at a moment', async ({ page }) => {
  const id = await recordAndOpen(page);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => positionMs(page)).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();

  const slider = page.getByRole('slider', { name: 'Position' }).first();
  await slider.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => positionMs(page)).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => Math.abs(await positionMs(page) - 5000)).toBeLessThanOrEqual(50);

  await page.goto('about:blank');
  await page.goto(`/recordings/${id}#t=3.5`);
  await expect.poll(async () => Math.abs(await positionMs(page) - 3500)).toBeLessThanOrEqual(50);
});

test('a click on the waveform goes there', async ({ page }) => {
  await recordAndOpen(page);
  const slider = page.getByRole('slider', { name: 'Position' }).first();
  const box = await slider.boundingBox();
  if (!box) throw new Error('the waveform has no box');
  await slider.click({ position: { x: box.width / 2, y: box.height / 2 } });
  const durationMs = Number(await slider.getAttribute('aria-valuemax'));
  await expect.poll(async () => Math.abs(await positionMs(page) - durationMs / 2)).toBeLessThanOrEqual(Math.max(50, durationMs / box.width * 2));
});

test('a recording is renamed, marked, trashed and brought back', async ({ page }) => {
  const id = await recordAndOpen(page);
  await page.getByRole('button', { name: 'Rename', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The well, مقابلة (1961)');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The well');
  await expect.poll(async () => (await listed(page))[0]?.title).toBe('The well, مقابلة (1961)');

  await page.getByRole('button', { name: 'Add marker', exact: true }).first().click();
  await expect.poll(async () => page.evaluate(async (recordingId) => (await (await fetch(`/api/recordings/${recordingId}/markers`)).json() as { items: unknown[] }).items.length, id)).toBe(1);

  await page.getByRole('button', { name: 'Move to trash', exact: true }).or(page.getByRole('menuitem', { name: 'Move to trash', exact: true })).first().click();
  await expect.poll(async () => (await listed(page)).length).toBe(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await listed(page)).length).toBe(1);
});

test('the trash restores, and deletes for good only after asking', async ({ page }) => {
  const id = await recordAndOpen(page);
  await page.evaluate(async (recordingId) => { await fetch(`/api/recordings/${recordingId}`, { method: 'DELETE', headers: { 'x-requested-with': 'earshot' } }); }, id);
  await page.goto('/trash');
  await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
  await expect.poll(async () => (await listed(page)).length).toBe(1);

  await page.evaluate(async (recordingId) => { await fetch(`/api/recordings/${recordingId}`, { method: 'DELETE', headers: { 'x-requested-with': 'earshot' } }); }, id);
  await page.goto('/trash');
  await page.getByRole('button', { name: 'Delete for good' }).first().click();
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete for good' }).click();
  await expect.poll(async () => (await listed(page, '?trashed=true')).length).toBe(0);
});
