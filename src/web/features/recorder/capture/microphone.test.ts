import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseAudioPreferences, type AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { constraintsFor, openMicrophone } from './microphone.ts';

const preferences: AudioPreferences = { ...parseAudioPreferences(null), deviceId: 'desk' };

/** A browser without a microphone: what it is asked for is answered by hand. */
function browser(getUserMedia: (constraints: MediaStreamConstraints) => Promise<unknown>) {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices: async () => [] } });
}
const stream = (label: string, channelCount: number) => ({
  getAudioTracks: () => [{ label, getSettings: () => ({ channelCount, deviceId: 'x' }) }],
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('opening the microphone', () => {
  test('every processing step is asked for by name', () => {
    expect(constraintsFor({ ...preferences, echoCancellation: false })).toEqual({
      echoCancellation: false,
      noiseSuppression: true,
      autoGainControl: true,
      channelCount: { ideal: 1 },
      deviceId: { exact: 'desk' },
    });
  });

  test('an unplugged choice falls back to the default microphone', async () => {
    browser(async ({ audio }) => {
      if (typeof audio === 'object' && audio.deviceId) throw new DOMException('', 'OverconstrainedError');
      return stream('Built-in', 1);
    });
    expect((await openMicrophone(preferences)).label).toBe('Built-in');
  });

  test('a busy microphone is refused as busy', async () => {
    browser(async () => {
      throw new DOMException('', 'NotReadableError');
    });
    await expect(openMicrophone(preferences)).rejects.toMatchObject({ reason: 'microphone-busy' });
  });

  test('a microphone that is just being let go is had at the second try', async () => {
    let tries = 0;
    browser(async () => {
      tries += 1;
      if (tries === 1) throw new DOMException('', 'NotReadableError');
      return stream('Desk', 1);
    });
    expect((await openMicrophone(preferences)).label).toBe('Desk');
  });

  test('a refusal is final: nobody is asked twice', async () => {
    let tries = 0;
    browser(async () => {
      tries += 1;
      throw new DOMException('', 'NotAllowedError');
    });
    await expect(openMicrophone(preferences)).rejects.toMatchObject({ reason: 'microphone-refused' });
    expect(tries).toBe(1);
  });

  test('an insecure page is named before anything is asked', async () => {
    vi.stubGlobal('isSecureContext', false);
    await expect(openMicrophone(preferences)).rejects.toMatchObject({ reason: 'insecure-page' });
  });

  test('a microphone of one channel is never called stereo', async () => {
    browser(async () => stream('Lapel', 1));
    expect((await openMicrophone({ ...preferences, quality: 'high' })).channels).toBe(1);
  });
});

test('damaged or unknown preferences fall back to their defaults', () => {
  expect(parseAudioPreferences('{"quality":"loud","echoCancellation":"yes"')).toEqual(
    parseAudioPreferences(null),
  );
  expect(parseAudioPreferences('{"quality":"loud","noiseSuppression":false}')).toEqual({
    ...parseAudioPreferences(null),
    noiseSuppression: false,
  });
});
