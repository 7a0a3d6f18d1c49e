import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ErrorCode } from '#contract/errors.ts';

/** Failures that occur in the browser, without a response of the server. */
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

/** A message for every error code of the server: what happened, what is safe, what to do. */
export const serverMessages: Record<ErrorCode, MessageDescriptor> = {
  'malformed-request': msg`The server couldn’t read this request. Reload the page and try again.`,
  'oauth-state-mismatch': msg`This response doesn’t match the sign-in you started. Start again.`,
  'oauth-denied': msg`You cancelled at the provider, so nothing changed. Try again, or choose another way.`,
  'provider-invalid': msg`This server doesn’t know that provider.`,
  'session-required': msg`Sign in to continue.`,
  'session-expired': msg`Your session has ended. Sign in again to continue.`,
  'upload-token-invalid': msg`Uploading is paused until you sign in again. The recording is safe on this device.`,
  'share-password-required': msg`This link needs a password.`,
  'share-password-wrong': msg`Wrong password. Check it and try again.`,
  'invalid-credentials': msg`Wrong email address or password.`,
  'mfa-invalid': msg`That code is wrong or has already been used. Wait for the next one and try again.`,
  'passkey-invalid': msg`That passkey didn’t work. Try again, or sign in another way.`,
  forbidden: msg`Your account isn’t allowed to do this.`,
  'cross-site': msg`Blocked: this request came from another website. Open Earshot at its own address and try again.`,
  'account-disabled': msg`This account is turned off. Ask the person who runs this server.`,
  'sign-up-closed': msg`This server doesn’t accept new accounts. Ask the person who runs it.`,
  'reauthentication-required': msg`Confirm it’s you first: this changes how your account is protected.`,
  'second-factor-required': msg`Your account uses two-step sign-in. Enter a code from your app or use a passkey.`,
  'provider-not-enough': msg`This provider can’t confirm it’s you right now, because your browser may still be signed in there. Use your password, a passkey or your authenticator app.`,
  'share-not-for-you': msg`This link is for other people. Ask the sender for access.`,
  'share-download-off': msg`The owner of the link doesn’t allow downloads.`,
  'sharing-forbidden': msg`The rules of this server don’t allow this link. Nothing was changed. Ask the person who runs it.`,
  'password-locked': msg`Too many wrong attempts: this password no longer works. Reset it, or sign in another way.`,
  'not-found': msg`Not found. It may have been deleted, or it belongs to another account.`,
  'provider-unknown': msg`This server doesn’t offer that provider. Sign in another way.`,
  'link-not-found': msg`This account isn’t linked.`,
  'model-unknown': msg`Earshot doesn’t know this speech model.`,
  'method-not-allowed': msg`The server doesn’t recognise this action. Reload the page: there may be a newer version.`,
  'request-timeout': msg`The server received this request too slowly and stopped waiting. Try again.`,
  'email-taken': msg`There’s already an account with this email address. Sign in instead.`,
  'account-exists': msg`There’s already an account with this email address. Sign in the way you usually do, then link this provider.`,
  'identity-linked-elsewhere': msg`This provider account is already linked to another Earshot account. Nothing was changed.`,
  'last-credential': msg`You have no other way to sign in. Add one before you remove this one.`,
  'last-admin': msg`There must be at least one administrator. Add another one first.`,
  'own-account': msg`You can’t turn off your own account.`,
  'principal-changed': msg`Someone else is signed in now, so this wasn’t sent.`,
  'totp-on': msg`Two-step sign-in is already on.`,
  'mail-not-configured': msg`This server can’t send email. Ask the person who runs it for a password reset link.`,
  'idempotency-conflict': msg`Your last request is still being processed. Wait a moment.`,
  'conversion-unavailable': msg`This server can’t convert recordings. You can always download the original.`,
  'offset-mismatch': msg`This device and the server disagree about how much has arrived. Earshot continues from what the server has.`,
  'writer-superseded': msg`This recording is continuing in another tab.`,
  'already-finished': msg`This recording is already complete.`,
  'still-recording': msg`Wait until the recording has ended, then try again.`,
  'not-in-trash': msg`Only recordings in the trash can be permanently deleted.`,
  'note-changed': msg`This note was changed somewhere else. Nothing was overwritten.`,
  'correction-changed': msg`This line was changed somewhere else. Nothing was overwritten.`,
  'transcriber-missing': msg`This server can’t transcribe yet. Ask the person who runs it.`,
  'model-in-use': msg`A recording is being transcribed with this model. Try again when it’s done.`,
  'transcriber-needs-agreement': msg`Transcribing sends the audio to another server. Agree to that first.`,
  'language-unsupported': msg`This server has no speech model for this language. Ask the person who runs it.`,
  'transcription-limit': msg`You’ve reached the limit for transcribing today. Try again tomorrow.`,
  'restore-conflict': msg`This ID is already in use. Nothing was overwritten.`,
  'share-not-started': msg`This recording hasn’t started yet. Try again in a moment.`,
  'share-ended': msg`This link has ended. Ask the sender for a new one.`,
  'share-listen-required': msg`The link allows a limited number of listens. Open it on its own page.`,
  'share-changed': msg`The link was changed elsewhere. Nothing was overwritten.`,
  'already-revoked': msg`The link is already revoked. Create a new one.`,
  'too-many-shares': msg`You’ve reached the limit of links. Revoke one you no longer need.`,
  'window-unsupported': msg`This server can’t share this file without ffmpeg. Ask the person who runs it.`,
  purged: msg`This recording was permanently deleted.`,
  'flow-expired': msg`Time ran out, or you finished in another tab. Start again.`,
  'code-expired': msg`This code or link has expired. Request a new one.`,
  'oauth-flow-expired': msg`This sign-in took too long or was already used. Start again.`,
  'too-large': msg`Too large: the server doesn’t accept this much at a time.`,
  'quota-exceeded': msg`You’ve reached your storage limit on this server. Permanently delete something, or ask the person who runs it for more space.`,
  'too-much-text': msg`There’s no space left for notes and marker names. Delete or shorten some of them first.`,
  'unsupported-media-type': msg`The server doesn’t accept this kind of data.`,
  'range-not-satisfiable': msg`The recording is shorter than the part you asked for.`,
  'misdirected-request': msg`This server doesn’t respond at this address. Open Earshot at its own address.`,
  'provider-other-address': msg`Signing in with a provider works only at this server’s own address. Open Earshot there.`,
  validation: msg`Check the form: something needs fixing.`,
  'password-too-short': msg`This password is too short.`,
  'password-common': msg`This password is easy to guess. Use a few unrelated words.`,
  'password-context': msg`Your password can’t contain your name, your email address or “Earshot”. Choose something else.`,
  'code-invalid': msg`That code is wrong. Check the most recent email.`,
  'set-up-code-invalid': msg`Wrong set-up code. Copy the code that was printed where Earshot was started.`,
  'passkey-refused': msg`The passkey wasn’t accepted. Try again, or use another device.`,
  'idempotency-mismatch': msg`This request was already sent with different contents.`,
  'checksum-mismatch': msg`Part of the recording was damaged in transit. It’s being sent again.`,
  'window-empty': msg`There’s nothing to listen to in this part. Choose a longer one.`,
  'unreadable-audio': msg`No sound found in this file. The file itself is unchanged.`,
  'conversion-failed': msg`This recording couldn’t be converted. You can still download the original.`,
  'rate-limited': msg`Too many attempts. Wait a moment and try again.`,
  'headers-too-large': msg`Your browser sends more cookies than the server accepts. Delete this site’s cookies and try again.`,
  internal: msg`Something went wrong on the server. Your recording is safe. Try again in a moment.`,
  'oauth-exchange-failed': msg`Couldn’t verify the provider’s response, so you weren’t signed in. Start again, or sign in another way.`,
  'oauth-clock-wrong': msg`The provider’s clock and this server’s clock don’t match, so its response couldn’t be verified. Sign in another way, and tell the person who runs this server.`,
  'provider-misconfigured': msg`This sign-in isn’t set up correctly, so trying again won’t help. Sign in another way. The person who runs this server can find the reason under Settings > Providers and in the server’s log.`,
  'provider-unavailable': msg`Can’t reach the provider. Try again in a moment, or sign in another way.`,
  'provider-slow': msg`The provider isn’t responding. Try again in a moment, or sign in another way.`,
  'shutting-down': msg`The server is restarting. Try again in a moment.`,
  overloaded: msg`The server has too many connections at the moment. Try again in a moment.`,
  unavailable: msg`The server isn’t responding. Try again in a moment.`,
  'storage-full': msg`The server is out of space. Everything you record or import stays on this device.`,
};
