import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import { stateMessages } from './state-messages.ts';

/** The reason why nothing is being sent, for imports; null if there is none. */
export const conditionMessages: Record<UploadCondition, MessageDescriptor | null> = {
  unattached: null,
  syncing: null,
  idle: null,
  offline: stateMessages.waiting.long,
  'gate-closed': msg`Waiting for the sign-in to your network`,
  'server-full': stateMessages['server-full'].long,
  'not-audio': null,
  'over-quota': stateMessages['over-quota'].long,
  'server-trouble': stateMessages.waiting.long,
  'capability-rejected': stateMessages.waiting.long,
};
