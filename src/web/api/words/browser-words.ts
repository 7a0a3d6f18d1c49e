import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What can fail without the server having said anything. */
export type BrowserErrorCode =
  | 'microphone-refused' | 'microphone-missing' | 'microphone-busy' | 'insecure-page'
  | 'storage-refused' | 'storage-full' | 'format-unsupported'
  | 'offline' | 'server-unreachable' | 'cookies-refused'
  | 'hold-timeout' | 'hold-overflow' | 'login-cancelled' | 'not-replayable' | 'principal-changed';

export const browserWords: Record<BrowserErrorCode, MessageDescriptor> = {
  'microphone-refused': msg`This page may not use the microphone. Allow it in the browser’s settings for this site, then try again.`,
  'microphone-missing': msg`No microphone was found. Connect one and try again.`,
  'microphone-busy': msg`The microphone is in use by another program. Close that program and try again.`,
  'insecure-page': msg`Browsers allow recording only on secure pages. Open this page with https.`,
  'storage-refused': msg`The browser gives this page no room to keep recordings. Private windows often do that; try an ordinary one.`,
  'storage-full': msg`This device has no room left. What was recorded so far is kept.`,
  'format-unsupported': msg`This browser cannot record in the format that is needed. A current Chrome, Edge, Firefox or Safari can.`,
  offline: msg`The server cannot be reached. Check the connection; what you record is kept on this device.`,
  'server-unreachable': msg`The server does not answer right now. Try again in a moment.`,
  'cookies-refused': msg`The browser did not keep the sign-in. Allow cookies for this site and try again.`,
  'hold-timeout': msg`The sign-in took too long, so your last action was not carried out. Try again.`,
  'hold-overflow': msg`Too many actions were waiting for a sign-in, so the last one was not carried out. Try again.`,
  'login-cancelled': msg`You did not sign in, so your last action was not carried out.`,
  'not-replayable': msg`Your last action could not be sent. Try again.`,
  'principal-changed': msg`Another person is signed in now, so this was not sent.`,
};
