import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTake } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { entriesBelow } from '#tests/support/files-below.ts';
import { newUser } from './attack.ts';

test('S19: no stored file is readable by other users of the machine, even in a directory open to all', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-data-'));
  chmodSync(directory, 0o755);
  const server = await EarshotServer.launch({}, directory);
  onTestFinished(() => server.dispose());
  const user = await newUser(server);
  const take = await startTake(user);
  expect(
    (
      await user.append({
        uploadId: take.audioId,
        token: take.token,
        offsetBytes: 0,
        bytes: Buffer.from('bytes'),
      })
    ).status,
  ).toBe(204);
  const entries = entriesBelow(directory);
  expect(entries.length).toBeGreaterThan(4);
  expect(entries.filter(({ stats }) => (stats.mode & 0o077) !== 0)).toEqual([]);
});
