import type { Config } from '#server/config.ts';
import { checkStorage } from '#server/start/check-storage.ts';
import type { StorageCheck } from '#server/storage/blobs/storage-check.ts';

const markOf = ({ verdict, isNeeded }: StorageCheck): string =>
  verdict === 'ok' ? 'ok     ' : isNeeded ? 'MISSING' : 'lacks  ';

/** Prints what the configured store can do. Returns 1 if it lacks something that Earshot needs. */
export async function doctor(config: Config): Promise<number> {
  let isUsable = true;
  for await (const check of checkStorage(config)) {
    if (check.verdict === 'missing' && check.isNeeded) isUsable = false;
    const detail = check.detail === '' ? '' : ` (${check.detail})`;
    process.stdout.write(`${markOf(check)} ${check.name}${detail}\n`);
  }
  process.stdout.write(
    isUsable
      ? 'The store has everything that Earshot needs.\n'
      : 'Earshot cannot use this store: it lacks what is marked MISSING.\n',
  );
  return isUsable ? 0 : 1;
}
