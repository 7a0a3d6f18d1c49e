import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ErrorCode } from '#contract/errors.ts';

/** Words for every refusal of the server's: what happened, what is safe, what to do. */
export const serverWords: Record<ErrorCode, MessageDescriptor> = {
  'malformed-request': msg`The server could not read this request. Reload the page and try again.`,
  'session-required': msg`Sign in to go on.`,
  'session-expired': msg`Your session has ended. Sign in again to go on.`,
  'upload-token-invalid': msg`The right to send this recording has run out. It is kept on this device and is sent once you sign in.`,
  'invalid-credentials': msg`The e-mail address or the password is not right.`,
  forbidden: msg`Your account may not do this.`,
  'cross-site': msg`The server refused this because it came from another site. Open Earshot at its own address and try again.`,
  'account-disabled': msg`This account is switched off. Ask the person who runs this server.`,
  'sign-up-closed': msg`New accounts cannot be created on this server. Ask the person who runs it.`,
  'not-found': msg`This is not here. It may have been deleted, or it belongs to another account.`,
  'method-not-allowed': msg`The server does not know this action. Reload the page: a newer version may be running.`,
  'email-taken': msg`There is an account with this e-mail address already. Sign in instead.`,
  'principal-changed': msg`Another person is signed in now, so this was not sent.`,
  'offset-mismatch': msg`The server has a different part of this recording than expected. Sending goes on from what it has.`,
  'writer-superseded': msg`This recording goes on in another tab or window.`,
  'already-finished': msg`This recording is complete already.`,
  'not-in-trash': msg`Only what is in the trash can be deleted for good.`,
  purged: msg`This recording was deleted for good.`,
  'too-large': msg`This is more than the server takes at once.`,
  'unsupported-media-type': msg`The server does not take this kind of data.`,
  'range-not-satisfiable': msg`The recording is shorter than the part that was asked for.`,
  validation: msg`Something in the form is not right yet.`,
  'password-too-short': msg`This password is too short.`,
  'password-common': msg`This password is easy to guess. A few words that do not belong together are better.`,
  'password-context': msg`This password contains your name, your e-mail address or the name of this product. Choose something else.`,
  'checksum-mismatch': msg`Some bytes were damaged on the way. They are sent again.`,
  'rate-limited': msg`Too many tries. Wait a little and try again.`,
  internal: msg`Something went wrong on the server. What you recorded is safe; try again in a moment.`,
  'shutting-down': msg`The server is restarting. Try again in a moment.`,
  'storage-full': msg`The server has no room left. What you record is kept on this device.`,
};
