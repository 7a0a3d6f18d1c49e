import { describe, expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import type { SharingPolicy } from '#contract/shares.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { stateOfShare, type ShareCircumstances } from './share-state.ts';

const nowMs = Date.UTC(2026, 10, 26);
const active: ShareCircumstances = {
  id: 'share',
  owner_id: 'owner',
  recording_id: 'recording',
  token_hash: '',
  token_box: '',
  audience: 'anyone',
  title: null,
  message: '',
  from_ms: 0,
  to_ms: null,
  shows: '{}',
  download: 'off',
  expires_at: nowMs + day,
  expiry_set_at: nowMs - day,
  max_listens: null,
  live_delay_ms: null,
  live_sent_until_ms: null,
  is_held_after_stop: 0,
  released_at: null,
  embed: null,
  preview: 'none',
  recipient_label: '',
  password_hash: null,
  password_version: 0,
  wrong_passwords: 0,
  wrong_passwords_since: 0,
  password_locked_at: null,
  open_count: 0,
  listen_count: 0,
  last_listened_at: null,
  created_at: nowMs - day,
  updated_at: nowMs - day,
  revision: 1,
  ended_at: null,
  off_at: null,
  recording_deleted_at: null,
  owner_disabled_at: null,
};

const revoked = { ended_at: nowMs - 1 };
const expired = { expires_at: nowMs };
const usedUp = { max_listens: 3, listen_count: 3 };
const trashed = { recording_deleted_at: nowMs - 1 };
const disabled = { owner_disabled_at: nowMs - 1 };

describe('the state of a link', () => {
  test.for<
    [
      name: string,
      change: Partial<ShareCircumstances>,
      state: string,
      by: string | null,
      reason: string | null,
    ]
  >([
    ['as it was made', {}, 'active', null, null],
    ['a millisecond before it expires', { expires_at: nowMs + 1 }, 'active', null, null],
    ['that never expires, beyond a timer', { expires_at: null }, 'suspended', 'policy', 'unavailable'],
    ['at the moment it expires', expired, 'expired', null, 'expired'],
    ['with a listen left', { max_listens: 3, listen_count: 2 }, 'active', null, null],
    ['without a listen left', usedUp, 'used-up', null, 'used-up'],
    ['whose recording is in the trash', trashed, 'suspended', 'trash', 'unavailable'],
    ['whose recording was restored', { off_at: nowMs - 1 }, 'suspended', 'restore', 'unavailable'],
    ['that is off, in the trash', { off_at: nowMs - 1, ...trashed }, 'suspended', 'trash', 'unavailable'],
    ['that is off and expired', { off_at: nowMs - 1, ...expired }, 'expired', null, 'expired'],
    ['whose owner is disabled', disabled, 'suspended', 'owner-disabled', 'unavailable'],
    ['that was revoked', revoked, 'revoked', null, 'revoked'],
    ['that was revoked and expired', { ...revoked, ...expired }, 'revoked', null, 'revoked'],
    ['that expired in the trash', { ...expired, ...trashed }, 'expired', null, 'expired'],
    ['that is used up, in the trash', { ...usedUp, ...trashed }, 'suspended', 'trash', 'unavailable'],
    [
      'in the trash of a disabled owner',
      { ...trashed, ...disabled },
      'suspended',
      'owner-disabled',
      'unavailable',
    ],
  ])('%s: %o is %s', ([, change, state, suspendedBy, reason]) => {
    expect(stateOfShare({ ...active, ...change }, openPolicy, nowMs)).toEqual({ state, suspendedBy, reason });
  });

  test.for<
    [name: string, change: Partial<ShareCircumstances>, rule: Partial<SharingPolicy>, isSuspended: boolean]
  >([
    ['links are off', { audience: 'installation' }, { links: 'off' }, true],
    ['links are for users only', {}, { links: 'users' }, true],
    ['links are for users only and it is', { audience: 'named' }, { links: 'users' }, false],
    ['it lasts longer than allowed', { expires_at: nowMs + 10 * day }, { longestDays: 10 }, true],
    ['it lasts as long as allowed', { expires_at: nowMs + 9 * day }, { longestDays: 10 }, false],
    ['it need not expire', { expires_at: null }, { longestDays: null }, false],
    ['passwords are required', {}, { isPasswordRequired: true }, true],
    ['passwords are required and it has one', { password_hash: '$' }, { isPasswordRequired: true }, false],
    [
      'passwords are required and it needs an account',
      { audience: 'named' },
      { isPasswordRequired: true },
      false,
    ],
    ['downloads are off', { download: 'audio' }, { mayDownload: false }, true],
    ['downloads are off and it has none', {}, { mayDownload: false }, false],
    ['originals are off', { download: 'original' }, { mayDownloadOriginal: false }, true],
    ['originals are off and it converts', { download: 'formats' }, { mayDownloadOriginal: false }, false],
    ['embedding is off', { embed: '"any"' }, { mayEmbed: false }, true],
    [
      'embedding is off and a password prevents it',
      { embed: '"any"', password_hash: '$' },
      { mayEmbed: false },
      false,
    ],
    ['previews are off', { preview: 'text' }, { mayPreview: false }, true],
    ['live is off', { live_delay_ms: 0 }, { mayGoLive: false }, true],
  ])('by a rule: %s', ([, change, rule, isSuspended]) => {
    const { state, suspendedBy } = stateOfShare({ ...active, ...change }, { ...openPolicy, ...rule }, nowMs);
    expect([state, suspendedBy]).toEqual(isSuspended ? ['suspended', 'policy'] : ['active', null]);
  });
});
