import { expect, test } from 'vitest';
import { shareToken } from '#contract/shares.ts';
import { createSecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { base58Of, newShareToken, openShareToken } from './share-token.ts';

const secrets = createSecretBox(new Uint8Array(32).fill(7));

test('S1: a token has 128 random bits in 22 characters without look-alikes', () => {
  const tokens = Array.from({ length: 200 }, () => newShareToken(secrets, 'share').token);
  expect(new Set(tokens).size).toBe(200);
  for (const token of [...tokens, base58Of(new Uint8Array(16)), base58Of(new Uint8Array(16).fill(255))])
    expect(token).toMatch(shareToken);
  expect(base58Of(new Uint8Array(16).fill(255))).toBe('YcVfxkQb6JRzqk5kF2tNLv');
});

test('S4: only the hash and an encrypted token are stored, and only the same link opens it', () => {
  const { token, ...stored } = newShareToken(secrets, 'share');
  expect(stored.token_hash).toBe(hashOf(token));
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(openShareToken(secrets, { id: 'share', token_box: stored.token_box })).toBe(token);
  expect(openShareToken(secrets, { id: 'other', token_box: stored.token_box })).toBeNull();
  const otherKey = createSecretBox(new Uint8Array(32).fill(8));
  expect(openShareToken(otherKey, { id: 'share', token_box: stored.token_box })).toBeNull();
});
