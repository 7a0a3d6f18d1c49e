import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { FileRejectionReason, RejectedFile } from '#workers/import/messages.ts';
import { iso } from '#web/i18n/iso.ts';
import type { ImportState, ImportError } from '#web/features/imports/importer/import-item.ts';

/** What is said of a file that the server stores and nobody can play. */
export const unplayableMessage = msg`Earshot can’t play this file. The original is stored.`;

/** The text for a state that needs no details. */
export const importStepMessages: Partial<Record<ImportState['step'], MessageDescriptor>> = {
  offered: msg`Not imported yet`,
  waiting: msg`Waiting`,
  reading: msg`Reading the file…`,
  'sign-in': msg`Waiting for you to sign in`,
  unread: msg`Earshot couldn’t read this file. Upload it anyway?`,
  checking: msg`Uploaded, being checked`,
  unplayable: unplayableMessage,
  done: msg`Imported`,
};

const rejectionMessages: Record<Exclude<FileRejectionReason, 'other-program'>, MessageDescriptor> = {
  'not-audio': msg`This file isn’t audio.`,
  'no-audio-track': msg`This video has no sound.`,
  encrypted: msg`This file is copy-protected, so it can’t be played here.`,
  empty: msg`This file is empty.`,
  'too-large': msg`This file is larger than 2 GB, the most Earshot can import.`,
  archive: msg`This file is an archive. Unpack it and import the audio files from it.`,
};

/** The reason why a file is rejected and what its user can do, shown under its name. */
export function importRejectionMessage(rejected: RejectedFile): MessageDescriptor {
  if (rejected.reason !== 'other-program') return rejectionMessages[rejected.reason];
  const program = iso(rejected.program);
  return msg`This file belongs to ${program}. Export the recording there as WAV or MP3 and import that file.`;
}

/** The reason why an import stopped. */
export const importErrorMessages: Record<ImportError, MessageDescriptor> = {
  'cut-off': msg`This page was closed before the whole file was read. Choose the file again.`,
  'file-gone': msg`This file was moved or changed while it was being read. Choose it again.`,
  internal: msg`Something went wrong. Try again.`,
  'rejected-by-server': msg`The server doesn’t accept this file.`,
};
