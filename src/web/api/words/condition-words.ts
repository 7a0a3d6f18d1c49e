import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** Why nothing is sent right now; null where it is. */
export const conditionWords: Record<UploadCondition, MessageDescriptor | null> = {
  unattached: null, syncing: null, idle: null,
  offline: msg`Waiting for the network`,
  'gate-closed': msg`Waiting for the sign-in in front of the server`,
  'server-full': msg`The server has no room left`,
  'server-trouble': msg`Waiting for the server`,
  'capability-refused': msg`Waiting for the server`,
};
