import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What can fail without the server having said anything. */
export type BrowserErrorCode =
  | 'microphone-refused'
  | 'microphone-missing'
  | 'microphone-busy'
  | 'insecure-page'
  | 'storage-refused'
  | 'storage-full'
  | 'format-unsupported'
  | 'offline'
  | 'gate-closed'
  | 'server-unreachable'
  | 'cookies-refused'
  | 'popup-blocked'
  | 'popup-closed'
  | 'passkey-cancelled'
  | 'passkey-unsupported'
  | 'passkey-here-already'
  | 'hold-timeout'
  | 'hold-overflow'
  | 'hold-declined'
  | 'login-cancelled'
  | 'reauthentication-cancelled'
  | 'not-replayable'
  | 'principal-changed';

export const browserMessages: Record<BrowserErrorCode, MessageDescriptor> = {
  'microphone-refused': msg`Earshot isn’t allowed to use the microphone. Allow it in your browser’s settings for this site, then try again.`,
  'microphone-missing': msg`No microphone found. Connect one and try again.`,
  'microphone-busy': msg`Another app is using the microphone. Close it and try again.`,
  'insecure-page': msg`Browsers only allow recording on secure pages. Open this page with https.`,
  'storage-refused': msg`Your browser doesn’t let this page store recordings. This often happens in private windows. Use a normal window instead.`,
  'storage-full': msg`This device is out of space. Everything recorded so far is safe.`,
  'format-unsupported': msg`This browser can’t record in the format Earshot needs. Use a current version of Chrome, Edge, Firefox or Safari.`,
  offline: msg`Can’t reach the server. Check your connection. Everything you record is being saved on this device.`,
  'gate-closed': msg`Your network asks you to sign in first. Everything you record is being saved on this device.`,
  'server-unreachable': msg`The server isn’t responding. Try again in a moment.`,
  'cookies-refused': msg`Your browser didn’t save the sign-in. Allow cookies for this site and try again.`,
  'popup-blocked': msg`Your browser blocked the sign-in window. Allow pop-ups for this site and try again. (Signing in on this page instead would end your recording.)`,
  'popup-closed': msg`The window was closed before you finished. Try again, or choose another way.`,
  'passkey-cancelled': msg`No passkey was used. Try again, or choose another way.`,
  'passkey-unsupported': msg`Passkeys don’t work in this browser. Choose another way.`,
  'passkey-here-already': msg`This device already has a passkey for your account.`,
  'hold-timeout': msg`Signing in took too long, so your last action wasn’t carried out. Try again.`,
  'hold-overflow': msg`Too many actions were waiting for you to sign in, so the last one wasn’t carried out. Try again.`,
  'hold-declined': msg`Cancelled. Nothing was sent.`,
  'login-cancelled': msg`You didn’t sign in, so your last action wasn’t carried out.`,
  'reauthentication-cancelled': msg`You didn’t confirm that it’s you, so nothing was changed.`,
  'not-replayable': msg`Couldn’t send your last action. Try again.`,
  'principal-changed': msg`Someone else is signed in now, so this wasn’t sent.`,
};
