import { session } from '#web/api/session.ts';
import { isTakeRunning, requestSignIn } from '#web/api/sign-in-prompt.ts';
import { importer } from '../importing.ts';
import type { ChosenFiles } from './chosen-files.ts';

/** Begins to import what was chosen; whoever is signed out is asked to sign in, while the files are already read. */
export function takeIn({ files, leftOut }: ChosenFiles): void {
  if (files.length === 0 && leftOut.length === 0) return;
  void importer.add(files, leftOut);
  if (files.length > 0) askForSender();
}

/** Imports files that another app or page handed over. */
export function takeOffered(ids: readonly string[]): void {
  importer.accept(ids);
  askForSender();
}

/** Asks whoever is signed out to sign in: only then is anything sent. A take is not interrupted for it. */
function askForSender(): void {
  if (session.getSnapshot().status === 'signed-out' && !isTakeRunning()) requestSignIn();
}
