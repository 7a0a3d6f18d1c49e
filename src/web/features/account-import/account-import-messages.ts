import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { NotImportedReason, AccountImportView } from './account-import-view.ts';

type Rejection = Extract<AccountImportView, { step: 'rejected' }>['reason'];

const changedMeanwhile = msg`This file was moved or changed while it was being read. Choose it again.`;
const wentWrong = msg`Something went wrong. Try again.`;

/** The reason why a chosen file cannot be imported. */
export const accountImportRejectionMessages: Record<Rejection, MessageDescriptor> = {
  'not-zip': msg`The file isn’t a ZIP file, or its download wasn’t finished.`,
  'not-export': msg`This ZIP file isn’t an Earshot export. Choose one you downloaded with “Export all my data”.`,
  newer: msg`This file was made by a newer version of Earshot. You can import it once this server is updated.`,
  damaged: msg`This file is damaged: its list of contents can’t be read.`,
  'file-gone': changedMeanwhile,
  'rejected-by-server': wentWrong,
  internal: wentWrong,
};

/** The reason why one recording was not imported, shown after its title. */
export const notImportedMessages: Record<NotImportedReason, MessageDescriptor> = {
  damaged: msg`This recording is damaged in the file.`,
  unreadable: msg`This recording’s details can’t be read.`,
  'file-gone': changedMeanwhile,
  'rejected-by-server': msg`The server doesn’t accept this recording.`,
  internal: wentWrong,
  trashed: msg`This recording is in your trash.`,
  deleted: msg`You permanently deleted this recording.`,
  conflict: msg`You already have a different recording with this ID. It was left unchanged.`,
  'id-taken': msg`This recording belongs to another account on this server.`,
};
