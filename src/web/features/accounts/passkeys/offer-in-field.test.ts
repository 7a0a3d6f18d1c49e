import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { minute } from '#base/duration.ts';
import type { PasskeyAssertion } from '#contract/passkeys.ts';
import { ApiError } from '#web/api/api-error.ts';
import { offerInField, type Picked } from './offer-in-field.ts';

const browser = vi.hoisted(() => ({
  questions: 0,
  pending: null as PromiseWithResolvers<unknown> | null,
  shown: Promise.resolve() as Promise<unknown>,
}));
const cancelled = () => new ApiError({ code: 'passkey-cancelled', status: 0, problem: null });

vi.mock('#web/api/call.ts', () => ({
  call: () => {
    browser.questions += 1;
    return Promise.resolve({ flow: `flow ${browser.questions}`, options: { timeout: 5 * 60_000 } });
  },
}));
vi.mock('./web-authn.ts', () => ({
  canOfferInField: () => Promise.resolve(true),
  requestPasskey: () => {
    browser.pending = Promise.withResolvers();
    return browser.pending.promise;
  },
  cancelPasskeyRequest: () => {
    browser.pending?.reject(cancelled());
    return Promise.resolve();
  },
  whenPromptClosed: () => browser.shown,
}));

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const credential: PasskeyAssertion = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

function offering(take: (picked: Picked) => Promise<boolean> = () => Promise.resolve(true)) {
  const here = new AbortController();
  onTestFinished(() => {
    here.abort();
  });
  const taken = vi.fn<typeof take>(take);
  void offerInField(here.signal, taken);
  return { here, taken };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  vi.stubGlobal('document', page);
  Object.assign(browser, { questions: 0, pending: null, shown: Promise.resolve() });
  page.visibilityState = 'visible';
});

describe('passkeys in the e-mail field', () => {
  it('are offered with a challenge that is still valid, however late one is chosen', async () => {
    const { taken } = offering();
    await pass(9 * minute);
    expect(browser.questions).toBe(3);
    browser.pending?.resolve(credential);
    await pass(0);
    expect(taken.mock.calls).toEqual([[{ flow: 'flow 3', credential }]]);
    await pass(9 * minute);
    expect(browser.questions).toBe(3);
  });

  it('are offered again after one was rejected', async () => {
    const { taken } = offering(() => Promise.resolve(false));
    await pass(0);
    browser.pending?.resolve(credential);
    await pass(0);
    browser.pending?.resolve(credential);
    await pass(0);
    expect(taken.mock.calls.map(([{ flow }]) => flow)).toEqual(['flow 1', 'flow 2']);
  });

  it('wait until a prompt opened by a button is closed', async () => {
    offering();
    await pass(0);
    const button = Promise.withResolvers<unknown>();
    browser.shown = button.promise;
    browser.pending?.reject(cancelled());
    await pass(20 * minute);
    expect(browser.questions).toBe(1);
    button.resolve(undefined);
    await pass(minute);
    expect(browser.questions).toBe(2);
  });

  it('are no longer offered if the browser rejects every attempt', async () => {
    offering();
    for (let rejection = 1; rejection <= 30; rejection += 1) {
      await pass(2 * minute);
      browser.pending?.reject(cancelled());
    }
    expect(browser.questions).toBe(8);
  });

  it('request no new challenge while the page is hidden or after it was left', async () => {
    const { here } = offering();
    await pass(0);
    page.visibilityState = 'hidden';
    await pass(60 * minute);
    expect(browser.questions).toBe(1);
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(browser.questions).toBe(2);
    here.abort();
    browser.pending?.reject(cancelled());
    await pass(60 * minute);
    expect(browser.questions).toBe(2);
  });
});
