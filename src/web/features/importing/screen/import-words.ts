import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { RefusalReason } from '#workers/import/messages.ts';
import type { ImportState, ImportTrouble } from '../run/import-row.ts';

/** Where an import stands, in so far as there is nothing more to tell of it. */
export const stepWords: Partial<Record<ImportState['step'], MessageDescriptor>> = {
  offered: msg`Not imported yet`,
  waiting: msg`Waiting its turn`,
  reading: msg`Reading the file…`,
  'sign-in': msg`Waiting for you to sign in`,
  unread: msg`We couldn’t look inside this file. Send it anyway?`,
  done: msg`Imported`,
};

/** Why a file is not taken; stands under the file's name. */
export const refusalWords: Record<RefusalReason, MessageDescriptor> = {
  'not-audio': msg`This file is not audio.`,
  'no-audio-track': msg`There is no sound in this video.`,
  encrypted: msg`This file is protected against copying, so nobody here could play it.`,
  empty: msg`This file is empty.`,
  'too-large': msg`This file is larger than 2 GB, which is the most that fits.`,
};

/** Why an import stopped. */
export const troubleWords: Record<ImportTrouble, MessageDescriptor> = {
  'cut-off': msg`The page was closed before this file was read to its end. Choose it again.`,
  'file-gone': msg`This file was moved or changed while it was being read. Choose it again.`,
  internal: msg`Something went wrong. Try again.`,
  'refused-by-server': msg`The server does not take this file.`,
};
