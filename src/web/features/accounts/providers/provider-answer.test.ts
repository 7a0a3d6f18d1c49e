import { beforeEach, describe, expect, it, vi } from 'vitest';
import { providerAnswerKey } from '#contract/provider-answer.ts';
import { readAnswer, deleteAnswer, isProviderAnswer, saveIntent } from './provider-answer.ts';

const stored = new Map<string, string>();
const answer = { type: 'provider-answer', provider: 'google', body: { code: 'c', state: 'flow-1' } };

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      stored.set(key, value);
    },
    removeItem: (key: string) => {
      stored.delete(key);
    },
  });
});

describe('an answer that a redirect brought', () => {
  it('is for what was begun here', () => {
    saveIntent('flow-1', 'link');
    stored.set(providerAnswerKey, JSON.stringify(answer));
    expect(readAnswer()).toEqual({ answer, intent: 'link' });
  });

  it('signs in where another flow was begun here, or none', () => {
    saveIntent('flow-2', 'link');
    stored.set(providerAnswerKey, JSON.stringify(answer));
    expect(readAnswer()?.intent).toBe('sign-in');
  });

  it('is there once, and nothing of it stays', () => {
    saveIntent('flow-1', 'link');
    stored.set(providerAnswerKey, JSON.stringify(answer));
    deleteAnswer();
    expect(readAnswer()).toBeNull();
    expect(stored.size).toBe(0);
  });

  it('is none where it is damaged', () => {
    stored.set(providerAnswerKey, '{"type":');
    expect(readAnswer()).toBeNull();
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
