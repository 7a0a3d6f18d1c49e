import { createHash } from 'node:crypto';
import { freePort } from '../../scripts/free-port.ts';
import { openFirefox, type Engine } from '../faults/world/engines.ts';
import { until } from '../faults/world/take.ts';
import { openssl } from '../support/gate-proxy.ts';
import { makeWav } from '../support/made-wav.ts';
import { expect, firstAddress, gateKinds, test, withGatedServer } from './gated-test.ts';

async function asked(engine: Engine, expression: string, what: string): Promise<void> {
  try {
    await until(async () => (await engine.evaluate(`return ${expression};`)) || null, what, 60_000);
  } catch (error) {
    throw new Error(`${String(error)}; at ${String(await engine.evaluate('return location.href + ": " + document.body.innerText.slice(0, 600);').catch(String))}`, { cause: error });
  }
}

const shows = (engine: Engine, words: string): Promise<void> => asked(engine, `document.body.innerText.includes(${JSON.stringify(words)})`, `the words ${words}`);

const ready = (count: number): string => `(await (await fetch('/api/recordings')).json()).items.filter(({ state }) => state === 'ready').length === ${count}`;

const press = (engine: Engine, name: string): Promise<unknown> => until(() => engine.press(name).then(() => true), `the button ${name}`, 30_000);

const importFile = (wav: Buffer): string => `
  const bytes = Uint8Array.from(atob(${JSON.stringify(wav.toString('base64'))}), (letter) => letter.charCodeAt(0));
  const files = new DataTransfer();
  files.items.add(new File([bytes], 'Walk.wav', { type: 'audio/wav' }));
  const input = [...document.querySelectorAll('input[type=file]')].find((one) => one.closest('[inert], [data-stand-in]') === null);
  if (!input || document.querySelector('[data-stand-in]')) throw new Error('the page is not there yet');
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));`;

/** Plays a recording to its end and fetches the file it was made of. */
const playAndDownload = `
  const { items } = await (await fetch('/api/recordings')).json();
  const { id } = items.find(({ title }) => title.startsWith('Walk'));
  const audio = Object.assign(new Audio('/api/recordings/' + id + '/audio'), { muted: true });
  const ended = new Promise((resolve, reject) => { audio.onended = resolve; audio.onerror = () => reject(new Error(audio.error.message)); });
  await audio.play();
  await ended;
  const digest = await crypto.subtle.digest('SHA-256', await (await fetch('/api/recordings/' + id + '/original')).arrayBuffer());
  return [Math.round(audio.currentTime), Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')];`;

for (const gateKind of gateKinds) {
  test(`behind nginx (${gateKind}) Firefox signs in with a provider, records, imports, plays and downloads`, async () => {
    test.skip(gateKind === 'tls' && openssl === null, 'openssl is not installed');
    const firefox = await openFirefox(await freePort(), '', { trustsAnyCertificate: gateKind === 'tls' });
    if (typeof firefox === 'string') {
      test.skip(true, firefox);
      return;
    }
    try {
      await withGatedServer(gateKind, async ({ url }) => {
        await firefox.goTo(firstAddress(gateKind, url));
        await firefox.goTo(`${url}/sign-in`);
        // One window is what this line to the browser sees: the page itself goes to the provider.
        await until(() => firefox.evaluate('globalThis.open = () => null; return true;'), 'the page', 30_000);
        await press(firefox, 'Continue with \u2068Village ID\u2069');
        await press(firefox, 'ann');
        await asked(firefox, "location.pathname === '/library' && (await (await fetch('/auth/session')).json()).user?.displayName === 'Ann of the village'", 'a session');

        await firefox.goTo(`${url}/`);
        await press(firefox, 'Record');
        await shows(firefox, 'Saved on the server');
        await press(firefox, 'Stop');
        await asked(firefox, ready(1), 'a finished take');

        const walk = makeWav({ seconds: 2, seed: 7 });
        await firefox.goTo(`${url}/library`);
        await until(() => firefox.evaluate(`${importFile(walk)} return true;`), 'the file field', 30_000);
        await asked(firefox, ready(2), 'an imported file');
        expect(await firefox.evaluate(playAndDownload)).toEqual([2, createHash('sha256').update(walk).digest('hex')]);
      });
    } finally {
      await firefox.close();
    }
  });
}
