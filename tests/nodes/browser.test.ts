import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appAddress, BrowserProcess } from '#tests/faults/world/browser-process.ts';
import { signalFile } from '#tests/faults/world/listen.ts';
import { accountFor, capturedAt, startTake, stopTake, untilCaptured } from '#tests/faults/world/take.ts';
import { installProbe } from '#tests/faults/world/trial.ts';
import { signInByCall } from '#tests/support/sign-in-by-call.ts';
import { hasPrograms, installationUnderTest, type Installation } from './installation.ts';
import { note } from './note.ts';

const killCount = 4;
/** How long the take runs on all nodes between two kills. */
const calmMs = 1500;

async function openApp({ proxy }: Installation, user: { email: string; password: string }): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-nodes-'));
  const browser = await BrowserProcess.launch(profile, {
    microphoneFile: signalFile(),
    serverPort: Number(new URL(proxy.url).port),
  });
  onTestFinished(async () => {
    await browser.kill();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const page = await browser.page();
  await page.goto(`${appAddress}/robots.txt`);
  await signInByCall(page, user);
  await page.addInitScript(installProbe);
  await browser.context.grantPermissions(['microphone'], { origin: appAddress }).catch(() => undefined);
  await page.goto(appAddress);
  return page;
}

async function recordFor(page: Page, durationMs: number): Promise<void> {
  await untilCaptured(page, (await capturedAt(page))(Date.now()) + durationMs);
}

describe.skipIf(!hasPrograms)('recording in a browser while nodes are killed', () => {
  const installation = installationUnderTest({ publicUrl: appAddress });

  test(`a take through ${killCount} kills has one segment, no gap, and every moment of its sound`, async () => {
    const { nodes } = installation();
    const { client, user } = await installation().newUser();
    const page = await openApp(installation(), user);
    await startTake({ page });
    for (let kill = 0; kill < killCount; kill += 1) {
      await recordFor(page, calmMs);
      const node = nodes[kill % nodes.length];
      await node?.end('SIGKILL');
      await node?.start();
      await installation().untilAllReady();
    }
    await recordFor(page, calmMs);
    const capturedMs = await stopTake({ page });
    const { recording, ...account } = await accountFor({ client }, capturedMs);
    note(
      `a browser's take of ${recording.durationMs} ms through ${killCount} kills: ${JSON.stringify(account)}`,
    );
    expect(account).toMatchObject({ findings: [], unexplainedMs: 0, repeatedMs: 0 });
    // A gap of another cause would be the fault's; a busy machine delays the fake microphone, and that is named.
    expect(recording.gaps.filter(({ cause }) => !['browser-busy', 'unknown'].includes(cause))).toEqual([]);
    expect(account.worstLossMs).toBeLessThanOrEqual(40);
    expect(recording.segments).toHaveLength(1);
  });
});
