import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import { stateWords } from './state-messages.ts';

/** Why nothing is sent right now, for imports; null where it is. */
export const conditionWords: Record<UploadCondition, MessageDescriptor | null> = {
  unattached: null,
  syncing: null,
  idle: null,
  offline: stateWords.waiting.long,
  'gate-closed': msg`Waiting for the sign-in to your network`,
  'server-full': stateWords['server-full'].long,
  'server-trouble': stateWords.waiting.long,
  'capability-refused': stateWords.waiting.long,
};
