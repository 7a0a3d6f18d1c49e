import { createHash } from 'node:crypto';
import { freePort } from '#scripts/free-port.ts';
import { openFirefox } from '#tests/faults/world/engines.ts';
import { until } from '#tests/faults/world/take.ts';
import { openssl } from '#tests/support/gate-proxy.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import {
  importFile,
  playAndDownload,
  press,
  ready,
  waitForExpression,
  waitForText,
} from './firefox-steps.ts';
import { expect, firstAddress, gateKinds, test, withGatedServer } from './gated-test.ts';

for (const gateKind of gateKinds) {
  test(`behind nginx (${gateKind}), Firefox signs in with a provider, records, imports, plays and downloads`, async () => {
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
        // The test sees only one window of Firefox, so the page itself has to navigate to the provider.
        await until(() => firefox.evaluate('globalThis.open = () => null; return true;'), 'the page', 30_000);
        await press(firefox, 'Continue with Village ID');
        await press(firefox, 'ann');
        await waitForExpression(
          firefox,
          "location.pathname === '/library' && (await (await fetch('/auth/session')).json()).user?.displayName === 'Ann of the village'",
          'a session',
        );

        await firefox.goTo(`${url}/`);
        await press(firefox, 'Record');
        await waitForText(firefox, 'Saved on the server');
        await press(firefox, 'Stop');
        await waitForExpression(firefox, ready(1), 'a finished take');

        const walk = makeWav({ seconds: 2, seed: 7 });
        await firefox.goTo(`${url}/library`);
        await until(() => firefox.evaluate(`${importFile(walk)} return true;`), 'the file field', 30_000);
        await waitForExpression(firefox, ready(2), 'an imported file');
        expect(await firefox.evaluate(playAndDownload)).toEqual([
          2,
          createHash('sha256').update(walk).digest('hex'),
        ]);
      });
    } finally {
      await firefox.close();
    }
  });
}
