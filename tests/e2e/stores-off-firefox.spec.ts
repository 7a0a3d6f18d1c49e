import { createHash } from 'node:crypto';
import { freePort } from '#scripts/free-port.ts';
import { openFirefox } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { expect, test } from './earshot-test.ts';
import {
  importFile,
  playAndDownload,
  press,
  ready,
  waitForExpression,
  waitForText,
} from './firefox-steps.ts';
import { newUser } from './steps.ts';

/** All storage but cookies is switched off, as in some hardened profiles: the APIs do not exist. */
const storesOff = [
  'dom.indexedDB.enabled',
  'dom.storage.enabled',
  'dom.fs.enabled',
  'dom.serviceWorkers.enabled',
  'dom.caches.enabled',
]
  .map((name) => `user_pref("${name}", false);`)
  .join('\n');

test('Firefox without any storage signs up, records, imports, plays and downloads', async ({ server }) => {
  const firefox = await openFirefox(await freePort(), storesOff);
  if (typeof firefox === 'string') {
    test.skip(true, firefox);
    return;
  }
  try {
    await firefox.goTo(server.url);
    expect(
      await firefox.evaluate('return "storage" in navigator && "getDirectory" in navigator.storage;'),
    ).toBe(false);
    await firefox.evaluate(
      `await fetch('/auth/signup', { method: 'POST', headers: { 'content-type': 'application/json', 'x-requested-with': 'earshot' }, body: ${JSON.stringify(JSON.stringify(newUser()))} }); return true;`,
    );
    await firefox.goTo(`${server.url}/`);
    await press(firefox, 'Record');
    await waitForText(firefox, 'Saved on the server');
    await press(firefox, 'Stop');
    await waitForExpression(firefox, ready(1), 'a finished take');
    const walk = makeWav({ seconds: 2, seed: 7 });
    await firefox.goTo(`${server.url}/library`);
    await until(() => firefox.evaluate(`${importFile(walk)} return true;`), 'the file field', 30_000);
    await waitForExpression(firefox, ready(2), 'an imported file');
    expect(await firefox.evaluate(playAndDownload)).toEqual([
      2,
      createHash('sha256').update(walk).digest('hex'),
    ]);
  } finally {
    await firefox.close();
  }
});
