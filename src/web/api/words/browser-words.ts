import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What can fail without the server having said anything. */
export type BrowserErrorCode =
  | 'microphone-refused' | 'microphone-missing' | 'microphone-busy' | 'insecure-page'
  | 'storage-refused' | 'storage-full' | 'format-unsupported'
  | 'offline' | 'gate-closed' | 'server-unreachable' | 'cookies-refused'
  | 'popup-blocked' | 'popup-closed' | 'passkey-cancelled' | 'passkey-unsupported' | 'passkey-here-already'
  | 'hold-timeout' | 'hold-overflow' | 'hold-declined' | 'login-cancelled' | 'reauthentication-cancelled' | 'not-replayable' | 'principal-changed';

export const browserWords: Record<BrowserErrorCode, MessageDescriptor> = {
  'microphone-refused': msg`This page may not use the microphone. Allow it in the browser’s settings for this site, then try again.`,
  'microphone-missing': msg`No microphone was found. Connect one and try again.`,
  'microphone-busy': msg`The microphone is in use by another program. Close that program and try again.`,
  'insecure-page': msg`Browsers allow recording only on secure pages. Open this page with https.`,
  'storage-refused': msg`The browser gives this page no room to keep recordings. Private windows often do that; try an ordinary one.`,
  'storage-full': msg`This device has no room left. What was recorded so far is kept.`,
  'format-unsupported': msg`This browser cannot record in the format that is needed. A current Chrome, Edge, Firefox or Safari can.`,
  offline: msg`The server cannot be reached. Check the connection; what you record is kept on this device.`,
  'gate-closed': msg`Something in front of Earshot asks you to sign in first. What you record is kept on this device.`,
  'server-unreachable': msg`The server does not answer right now. Try again in a moment.`,
  'cookies-refused': msg`The browser did not keep the sign-in. Allow cookies for this site and try again.`,
  'popup-blocked': msg`The browser did not open the window for this. Allow pop-ups for this site and try again; leaving the page would end your recording.`,
  'popup-closed': msg`The window was closed before the sign-in was finished. Try again, or choose another way.`,
  'passkey-cancelled': msg`No passkey was used. Try again, or choose another way.`,
  'passkey-unsupported': msg`This browser cannot use passkeys here. Choose another way.`,
  'passkey-here-already': msg`This device has a passkey for your account already.`,
  'hold-timeout': msg`The sign-in took too long, so your last action was not carried out. Try again.`,
  'hold-overflow': msg`Too many actions were waiting for a sign-in, so the last one was not carried out. Try again.`,
  'hold-declined': msg`This was not sent, as you wished.`,
  'login-cancelled': msg`You did not sign in, so your last action was not carried out.`,
  'reauthentication-cancelled': msg`You did not confirm that it is you, so nothing was changed.`,
  'not-replayable': msg`Your last action could not be sent. Try again.`,
  'principal-changed': msg`Another person is signed in now, so this was not sent.`,
};
