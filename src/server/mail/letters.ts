import type { I18n } from '@lingui/core';

/** One mail: what stands in the list of mails, and what one reads. Paragraphs stand apart by an empty line; codes and links on lines of their own. */
export interface Letter { subject: string; paragraphs: string[] }

/** What about an account was changed, for the notice to its owner. */
export type AccountChange = 'password' | 'email' | 'two-step-on' | 'two-step-off' | 'passkey-added' | 'passkey-removed' | 'identity-linked' | 'identity-unlinked';

const subjectWithCode = (i18n: I18n, code: string) => i18n._('Your code for Earshot: {code}', { code });
const codeCounts = (i18n: I18n, minutes: number) => i18n._('{minutes, plural, one {It counts for # minute, in the browser where you began.} other {It counts for # minutes, in the browser where you began.}}', { minutes });
const nothingHappens = (i18n: I18n) => i18n._('If this was not you, you need not do anything: without the code nothing happens.');

/** Completes a sign-up. */
export const signUpCode = (i18n: I18n, { code, minutes }: { code: string; minutes: number }): Letter => ({
  subject: subjectWithCode(i18n, code),
  paragraphs: [i18n._('This code completes your sign-up:'), code, codeCounts(i18n, minutes), nothingHappens(i18n)],
});

/** To an address that has an account when somebody signs up with it. */
export const signUpTaken = (i18n: I18n, { url }: { url: string }): Letter => ({
  subject: i18n._('You have an Earshot account already'),
  paragraphs: [
    i18n._('Somebody wanted to create an Earshot account with this address, and you have one.'),
    i18n._('If it was you, sign in here, or set a new password if you have forgotten yours:'), url,
    i18n._('If it was not you, you need not do anything.'),
  ],
});

/** Proves a new address. */
export const emailCode = (i18n: I18n, { code, minutes }: { code: string; minutes: number }): Letter => ({
  subject: subjectWithCode(i18n, code),
  paragraphs: [i18n._('This code makes this address the one of your Earshot account:'), code, codeCounts(i18n, minutes), nothingHappens(i18n)],
});

/** To an address that has an account when another account wants it. */
export const emailTaken = (i18n: I18n): Letter => ({
  subject: i18n._('This address belongs to another account'),
  paragraphs: [
    i18n._('Somebody wanted to use this address for an Earshot account, but another account has it already. Nothing was changed.'),
    i18n._('If it was you, sign in to the account that has this address.'),
  ],
});

/** To the old address, which can be put back for some days. */
export const emailChanged = (i18n: I18n, { newEmail, link, days }: { newEmail: string; link: string; days: number }): Letter => ({
  subject: i18n._('Your e-mail address was changed'),
  paragraphs: [
    i18n._('The address of your Earshot account is now:'), newEmail,
    i18n._('{days, plural, one {If it was not you, put this address back. Every device is then signed out. The link counts for # day:} other {If it was not you, put this address back. Every device is then signed out. The link counts for # days:}}', { days }), link,
  ],
});

/** Leads to the page that sets a new password. */
export const passwordReset = (i18n: I18n, { link, minutes }: { link: string; minutes: number }): Letter => ({
  subject: i18n._('Set a new password for Earshot'),
  paragraphs: [
    i18n._('With this link you can set a new password for Earshot:'), link,
    i18n._('{minutes, plural, one {It counts once, for # minute.} other {It counts once, for # minutes.}}', { minutes }),
    i18n._('If you have not asked for it, you need not do anything: your password stays as it is.'),
  ],
});

/** To the owner of an account for which an administrator made a reset link; the link itself is handed over in person. */
export const resetLinkMade = (i18n: I18n, { name, url }: { name: string; url: string }): Letter => ({
  subject: i18n._('A link to your account was made'),
  paragraphs: [
    i18n._('{name}, who administers this Earshot server, made a link that sets a new password for your account.', { name }),
    i18n._('If you asked for it, all is well. If not, whoever had the link could sign in as you and listen to your recordings: set a new password, and look at the history of your account.'), url,
  ],
});

/** Each is a sentence of its own: no language has to bend a half one. */
const changes: Record<AccountChange, (i18n: I18n) => string> = {
  password: (i18n) => i18n._('The password of your Earshot account was changed.'),
  email: (i18n) => i18n._('The e-mail address of your Earshot account was changed.'),
  'two-step-on': (i18n) => i18n._('Two-step sign-in was switched on for your Earshot account.'),
  'two-step-off': (i18n) => i18n._('Two-step sign-in was switched off for your Earshot account.'),
  'passkey-added': (i18n) => i18n._('A passkey was added to your Earshot account.'),
  'passkey-removed': (i18n) => i18n._('A passkey was removed from your Earshot account.'),
  'identity-linked': (i18n) => i18n._('Another way to sign in was linked to your Earshot account.'),
  'identity-unlinked': (i18n) => i18n._('A way to sign in was removed from your Earshot account.'),
};

/** Tells the owner of a change that a thief would make. */
export const accountChanged = (i18n: I18n, { change, url }: { change: AccountChange; url: string }): Letter => ({
  subject: i18n._('Your account was changed'),
  paragraphs: [changes[change](i18n), i18n._('If it was you, all is well. If not, set a new password now and look at who is signed in:'), url],
});
