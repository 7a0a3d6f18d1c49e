import { beforeEach, describe, expect, it, vi } from 'vitest';
import { providerAnswerKey } from '#contract/provider-answer.ts';
import { answerHere, forgetAnswer, isProviderAnswer, rememberIntent } from './provider-answer.ts';

const kept = new Map<string, string>();
const answer = { type: 'provider-answer', provider: 'google', body: { code: 'c', state: 'flow-1' } };

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      kept.set(key, value);
    },
    removeItem: (key: string) => {
      kept.delete(key);
    },
  });
});

describe('an answer that a redirect brought', () => {
  it('is for what was begun here', () => {
    rememberIntent('flow-1', 'link');
    kept.set(providerAnswerKey, JSON.stringify(answer));
    expect(answerHere()).toEqual({ answer, intent: 'link' });
  });

  it('signs in where another flow was begun here, or none', () => {
    rememberIntent('flow-2', 'link');
    kept.set(providerAnswerKey, JSON.stringify(answer));
    expect(answerHere()?.intent).toBe('sign-in');
  });

  it('is there once, and nothing of it stays', () => {
    rememberIntent('flow-1', 'link');
    kept.set(providerAnswerKey, JSON.stringify(answer));
    forgetAnswer();
    expect(answerHere()).toBeNull();
    expect(kept.size).toBe(0);
  });

  it('is none where it is damaged', () => {
    kept.set(providerAnswerKey, '{"type":');
    expect(answerHere()).toBeNull();
  });
});

it.each([
  'confirmed',
  null,
  { type: 'confirmed', userId: 'mallory' },
  { type: 'provider-answer' },
  { type: 'provider-answer', provider: 'google', body: null },
  { type: 'provider-answer', provider: 'google', body: { code: { toString: 'x' } } },
])('abuse case 36: %j is no provider’s answer', (message) => {
  expect(isProviderAnswer(message)).toBe(false);
});
