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

describe('a response brought by a redirect', () => {
  it('has the intent of the flow that this page started', () => {
    saveIntent('flow-1', 'link');
    stored.set(providerAnswerKey, JSON.stringify(answer));
    expect(readAnswer()).toEqual({ answer, intent: 'link' });
  });

  it('has the intent to sign in if this page started another flow or none', () => {
    saveIntent('flow-2', 'link');
    stored.set(providerAnswerKey, JSON.stringify(answer));
    expect(readAnswer()?.intent).toBe('sign-in');
  });

  it('is deleted completely, so that it is used only once', () => {
    saveIntent('flow-1', 'link');
    stored.set(providerAnswerKey, JSON.stringify(answer));
    deleteAnswer();
    expect(readAnswer()).toBeNull();
    expect(stored.size).toBe(0);
  });

  it('is ignored if it is damaged', () => {
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
])('abuse case 36: rejects %j as a provider’s response', (message) => {
  expect(isProviderAnswer(message)).toBe(false);
});
