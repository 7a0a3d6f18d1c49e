import { describe, expect, it } from 'vitest';
import { ProblemError } from '#server/http/problem.ts';
import { checkNewPassword } from './password-rules.ts';

const mira = { email: 'mira.schmidt@musterstadt.example', displayName: 'Mira Schmidt-Okonkwo' };

async function verdict(
  password: string,
  user: { email: string; displayName?: string } = mira,
): Promise<string> {
  try {
    await checkNewPassword(password, user);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [field, ...others] = error.errors ?? [];
    return field?.pointer === '/password' && others.length === 0 ? field.code : JSON.stringify(error.errors);
  }
}

describe('a new password', () => {
  it.each([
    'kettle river umbrella noon',
    'correct horse battery staple',
    'x7!kq9Lm2#vPz4tR',
    'летом было тепло вчера',
    '私は毎朝コーヒーを二杯飲みます。',
    'كان المطر يهطل على البحر',
    'kaffee im regen trinken',
    '   leading and trailing   ',
    '🎙️🌧️☕🚲🏔️🍋📻🧵🪁🎻🦊🌊🧊🪴🛶',
  ])('may be %j', async (password) => {
    expect(await verdict(password)).toBe('accepted');
  });

  it('has at least fifteen characters, counted as code points', async () => {
    expect(await verdict('kettle river um')).toBe('accepted');
    expect(await verdict('kettle river u')).toBe('password-too-short');
    expect(await verdict('🎙️🌧️☕')).toBe('password-too-short');
  });

  it('reports the limits that it violates', async () => {
    await expect(checkNewPassword('short', mira)).rejects.toThrow(
      expect.objectContaining({
        errors: [{ pointer: '/password', code: 'password-too-short', params: { shortest: 15 } }],
      }),
    );
    await expect(checkNewPassword('kettle river '.repeat(30), mira)).rejects.toThrow(
      expect.objectContaining({
        code: 'validation',
        errors: [{ pointer: '/password', code: 'too-long', params: { longest: 256 } }],
      }),
    );
  });

  it.each([
    'aaaaaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    '1234567890123456789',
    'abcdefghijklmnopqrs',
    'qwertyuiopasdfghjkl',
    'passwordpassword',
    'Password1234567890',
    'iloveyouiloveyou',
    'a'.repeat(256),
    'p4$$w0rd'.repeat(32),
  ])('is not common, repeated or sequential: %s', async (password) => {
    expect(await verdict(password)).toBe('password-common');
  });

  it.each([
    'earshotearshot1',
    'EarShot-EarShot-2026',
    'mira.schmidt@musterstadt.example',
    'MiraSchmidt19871987',
    'mira schmidt 12.04.1987',
    'okonkwo.schmidt.99',
    'musterstadtmusterstadt',
  ])('is not made of the name of the product or the user or of the address: %s', async (password) => {
    expect(await verdict(password)).toBe('password-context');
  });

  it('may contain such a word among others', async () => {
    expect(await verdict('mira drinks tea under umbrellas')).toBe('accepted');
  });

  it('is also checked for a user without a name', async () => {
    expect(await verdict('kettle river umbrella noon', { email: 'a@b' })).toBe('accepted');
    expect(await verdict('earshot earshot earshot', { email: 'a@b' })).toBe('password-context');
  });
});
