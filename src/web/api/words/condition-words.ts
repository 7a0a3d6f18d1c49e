import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** Why nothing is sent right now; null where it is. */
export const conditionWords: Record<UploadCondition, MessageDescriptor | null> = {
  unattached: null, syncing: null, idle: null,
  offline: msg`Waiting for a connection`,
  'gate-closed': msg`Waiting for the sign-in to your network`,
  'server-full': msg`The server is out of space`,
  'server-trouble': msg`Waiting for the server`,
  'capability-refused': msg`Waiting for the server`,
};
