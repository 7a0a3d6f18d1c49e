import type { I18n } from '@lingui/core';

/**
 * One e-mail with its subject and text. Paragraphs are separated by empty lines; codes and links are on separate
 * lines.
 */
export interface EmailMessage {
  subject: string;
  paragraphs: string[];
}

/** The change of an account that its owner is notified of. */
export type AccountChange =
  | 'password'
  | 'email'
  | 'two-step-on'
  | 'two-step-off'
  | 'passkey-added'
  | 'passkey-removed'
  | 'identity-linked'
  | 'identity-unlinked';

const subjectWithCode = (i18n: I18n, code: string) => i18n._('Your Earshot code: {code}', { code });
const codeCounts = (i18n: I18n, minutes: number) =>
  i18n._(
    '{minutes, plural, one {The code is valid for # minute, in the browser where you started.} other {The code is valid for # minutes, in the browser where you started.}}',
    { minutes },
  );
const nothingHappens = (i18n: I18n) =>
  i18n._('If this wasn’t you, you can ignore this email. Without the code, no one can use your address.');

/** Completes a sign-up. */
export const signUpCode = (
  i18n: I18n,
  { code, minutes }: { code: string; minutes: number },
): EmailMessage => ({
  subject: subjectWithCode(i18n, code),
  paragraphs: [
    i18n._('Use this code to finish signing up:'),
    code,
    codeCounts(i18n, minutes),
    nothingHappens(i18n),
  ],
});

/** For an address that already has an account, when someone signs up with it. */
export const signUpTaken = (i18n: I18n, { url }: { url: string }): EmailMessage => ({
  subject: i18n._('You already have an Earshot account'),
  paragraphs: [
    i18n._('Someone tried to create an Earshot account with this email address, but you already have one.'),
    i18n._('If it was you, sign in here. If you’ve forgotten your password, you can set a new one:'),
    url,
    i18n._('If it wasn’t you, you can ignore this email.'),
  ],
});

/** Verifies a new address. */
export const emailCode = (
  i18n: I18n,
  { code, minutes }: { code: string; minutes: number },
): EmailMessage => ({
  subject: subjectWithCode(i18n, code),
  paragraphs: [
    i18n._('Use this code to make this the email address of your Earshot account:'),
    code,
    codeCounts(i18n, minutes),
    nothingHappens(i18n),
  ],
});

/** For an address that already has an account, when another account wants it. */
export const emailTaken = (i18n: I18n): EmailMessage => ({
  subject: i18n._('This email address is used by another account'),
  paragraphs: [
    i18n._(
      'Someone tried to use this email address for an Earshot account, but it already belongs to another account. Nothing was changed.',
    ),
    i18n._('If it was you, sign in to the account that uses this address.'),
  ],
});

/** For the old address, which can be restored for some days. */
export const emailChanged = (
  i18n: I18n,
  { newEmail, link, days }: { newEmail: string; link: string; days: number },
): EmailMessage => ({
  subject: i18n._('Your email address was changed'),
  paragraphs: [
    i18n._('The email address of your Earshot account is now:'),
    newEmail,
    i18n._(
      '{days, plural, one {If it wasn’t you, restore this address. All devices will be signed out. This link works for # day:} other {If it wasn’t you, restore this address. All devices will be signed out. This link works for # days:}}',
      { days },
    ),
    link,
  ],
});

/** Leads to the page that sets a new password. */
export const passwordReset = (
  i18n: I18n,
  { link, minutes }: { link: string; minutes: number },
): EmailMessage => ({
  subject: i18n._('Set a new Earshot password'),
  paragraphs: [
    i18n._('Use this link to set a new password for your Earshot account:'),
    link,
    i18n._(
      '{minutes, plural, one {The link works once, within # minute.} other {The link works once, within # minutes.}}',
      { minutes },
    ),
    i18n._('If you didn’t ask for this, you can ignore this email. Your password stays the same.'),
  ],
});

/**
 * For the owner of an account for which an administrator created a reset link; the link itself is handed over
 * personally.
 */
export const resetLinkMade = (i18n: I18n, { name, url }: { name: string; url: string }): EmailMessage => ({
  subject: i18n._('A password reset link was created for your account'),
  paragraphs: [
    i18n._(
      '{name}, an administrator of this Earshot server, created a password reset link for your account.',
      { name },
    ),
    i18n._(
      'If you asked for it, there’s nothing to do. If you didn’t, someone with the link could sign in as you and listen to your recordings. Set a new password and check your account’s history.',
    ),
    url,
  ],
});

/** Each is a complete sentence, so that no language has to inflect a part of one. */
const changes: Record<AccountChange, (i18n: I18n) => string> = {
  password: (i18n) => i18n._('The password of your Earshot account was changed.'),
  email: (i18n) => i18n._('The email address of your Earshot account was changed.'),
  'two-step-on': (i18n) => i18n._('Two-step sign-in was turned on for your Earshot account.'),
  'two-step-off': (i18n) => i18n._('Two-step sign-in was turned off for your Earshot account.'),
  'passkey-added': (i18n) => i18n._('A passkey was added to your Earshot account.'),
  'passkey-removed': (i18n) => i18n._('A passkey was removed from your Earshot account.'),
  'identity-linked': (i18n) => i18n._('A new way to sign in was linked to your Earshot account.'),
  'identity-unlinked': (i18n) => i18n._('A way to sign in was removed from your Earshot account.'),
};

/** Notifies the owner of a change that an attacker would make. */
export const accountChanged = (
  i18n: I18n,
  { change, url }: { change: AccountChange; url: string },
): EmailMessage => ({
  subject: i18n._('Your account was changed'),
  paragraphs: [
    changes[change](i18n),
    i18n._(
      'If it was you, there’s nothing to do. If it wasn’t, set a new password now and check where you’re signed in:',
    ),
    url,
  ],
});
