import type { Engine } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';

/**
 * Waits until an expression is true in the page.
 * @throws Error with the page's text when it stays false for a minute.
 */
export async function waitForExpression(engine: Engine, expression: string, what: string): Promise<void> {
  try {
    await until(async () => (await engine.evaluate(`return ${expression};`)) || null, what, 60_000);
  } catch (error) {
    throw new Error(
      `${String(error)}; at ${String(await engine.evaluate('return location.href + ": " + document.body.innerText.slice(0, 600);').catch(String))}`,
      { cause: error },
    );
  }
}

export const waitForText = (engine: Engine, words: string): Promise<void> =>
  waitForExpression(
    engine,
    `document.body.innerText.includes(${JSON.stringify(words)})`,
    `the words ${words}`,
  );

export const ready = (count: number): string =>
  `(await (await fetch('/api/recordings')).json()).items.filter(({ state }) => state === 'ready').length === ${count}`;

export const press = (engine: Engine, name: string): Promise<unknown> =>
  until(() => engine.press(name).then(() => true), `the button ${name}`, 30_000);

export const importFile = (wav: Buffer): string => `
  const bytes = Uint8Array.from(atob(${JSON.stringify(wav.toString('base64'))}), (letter) => letter.charCodeAt(0));
  const files = new DataTransfer();
  files.items.add(new File([bytes], 'Walk.wav', { type: 'audio/wav' }));
  const input = [...document.querySelectorAll('input[type=file]')].find((one) => one.closest('[inert], [data-prerendered]') === null);
  if (!input || document.querySelector('[data-prerendered]')) throw new Error('the page is not there yet');
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));`;

/** Plays a recording to its end and fetches its original file. */
export const playAndDownload = `
  const { items } = await (await fetch('/api/recordings')).json();
  const { id } = items.find(({ title }) => title.startsWith('Walk'));
  const audio = Object.assign(new Audio('/api/recordings/' + id + '/audio'), { muted: true });
  const ended = new Promise((resolve, reject) => { audio.onended = resolve; audio.onerror = () => reject(new Error(audio.error.message)); });
  await audio.play();
  await ended;
  const digest = await crypto.subtle.digest('SHA-256', await (await fetch('/api/recordings/' + id + '/original')).arrayBuffer());
  return [Math.round(audio.currentTime), Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')];`;
