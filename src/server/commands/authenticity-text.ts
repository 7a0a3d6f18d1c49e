import type { Snapshot } from '#server/features/backups/format/manifest.ts';

/** Says in the list of backups what the MAC of one shows. */
export const authenticityWords: Readonly<Record<Snapshot['authenticity'], string>> = {
  authentic: 'authentic',
  absent: 'not authenticated',
  unchecked: 'MAC not checked: another secret key, or none here',
};

/**
 * Says after a restore what could not be checked; empty if the backup is that of an installation with the secret key
 * which was here before.
 * @param options.broughtKey whether the backup brought the secret key that its MAC was checked with
 */
export function authenticityText(
  { id, authenticity }: Pick<Snapshot, 'id' | 'authenticity'>,
  { broughtKey }: { broughtKey: boolean },
): string {
  if (authenticity === 'absent')
    return `The backup ${id} is not authenticated: an earlier version of Earshot made it, or one without the secret key. Its files match its checksums, but changes made on purpose could not be found.\n`;
  if (authenticity === 'unchecked')
    return `Whether the backup ${id} was changed on purpose could not be checked without its secret key. Its files match its checksums.\n`;
  return broughtKey
    ? `The backup ${id} brought its own secret key, which its MAC matches: somebody who could write there could have replaced both.\n`
    : '';
}
