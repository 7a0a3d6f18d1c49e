import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { NotRestoredReason, RestoreView } from './run/restore-view.ts';

type Refusal = Extract<RestoreView, { step: 'refused' }>['reason'];

const changedMeanwhile = msg`This file was moved or changed while it was being read. Choose it again.`;
const wentWrong = msg`Something went wrong. Try again.`;

/** Why a chosen file cannot be imported. */
export const refusalWords: Record<Refusal, MessageDescriptor> = {
  'not-zip': msg`This is not a ZIP file, or it was not downloaded to its end.`,
  'not-export': msg`This ZIP file does not hold a whole account. Choose one that was downloaded under “Take everything with me”.`,
  newer: msg`A newer version of Earshot made this file. It can be imported once this server is up to date.`,
  damaged: msg`This file is damaged: the list of what is in it cannot be read.`,
  'file-gone': changedMeanwhile,
  'refused-by-server': wentWrong,
  internal: wentWrong,
};

/** Why one recording was not imported; stands behind its title. */
export const reasonWords: Record<NotRestoredReason, MessageDescriptor> = {
  damaged: msg`It is damaged in this file.`,
  unreadable: msg`Its description cannot be read.`,
  'file-gone': changedMeanwhile,
  'refused-by-server': msg`The server does not take it.`,
  internal: wentWrong,
  trashed: msg`It is in your trash here.`,
  purged: msg`You deleted it for good here.`,
  different: msg`Your recording of the same number is another one here. It was left as it is.`,
  taken: msg`It is in another account on this server.`,
};
