import type { Config } from '#server/config.ts';
import { secretKeyPathOf } from '#server/secret-key.ts';
import { copyStores } from '#server/start/copy-stores.ts';
import { verifyAll } from './verify.ts';

/**
 * Copies the installation into an empty folder, while the server may run, and verifies the copy. Returns 1 if a
 * stream of the copy does not match its receipt.
 */
export async function backup(
  config: Config,
  { to, withKey }: { to: string; withKey: boolean },
): Promise<number> {
  await copyStores(config, { to, withKey });
  const { count, damaged } = await verifyAll({ ...config, dataDir: to });
  const key = config.secretKey === '' ? secretKeyPathOf(config.dataDir) : 'SECRET_KEY';
  const note =
    withKey && config.secretKey === ''
      ? 'It contains the secret key: let nobody else read it.'
      : `It does not contain the secret key (${key}), which a restored server needs: keep a copy of it in another place.`;
  process.stdout.write(
    `${count} streams were copied to ${to} and verified, ${damaged.length} of them are damaged. ${note}\n`,
  );
  for (const { stream, verdict } of damaged)
    process.stdout.write(`${verdict}: ${stream.recording_id} ${stream.stream} ${stream.segment_index}\n`);
  return damaged.length > 0 ? 1 : 0;
}
