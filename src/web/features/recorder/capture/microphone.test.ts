import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseAudioPreferences, type AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { constraintsFor, openMicrophone } from './microphone.ts';

const preferences: AudioPreferences = { ...parseAudioPreferences(null), deviceId: 'desk' };

/** Stubs a browser whose `getUserMedia` is controlled by the test. */
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
  test('requests every processing step explicitly', () => {
    expect(constraintsFor({ ...preferences, echoCancellation: false })).toEqual({
      echoCancellation: false,
      noiseSuppression: true,
      autoGainControl: true,
      channelCount: { ideal: 1 },
      deviceId: { exact: 'desk' },
    });
  });

  test('requests no processing for high quality, whatever is chosen for speech', () => {
    expect(constraintsFor({ ...preferences, quality: 'high' })).toMatchObject({
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
      channelCount: { ideal: 2 },
    });
  });

  test('falls back to the default microphone if the chosen one is unplugged', async () => {
    browser(async ({ audio }) => {
      if (typeof audio === 'object' && audio.deviceId) throw new DOMException('', 'OverconstrainedError');
      return stream('Built-in', 1);
    });
    expect((await openMicrophone(preferences)).label).toBe('Built-in');
  });

  test('rejects a busy microphone as busy', async () => {
    browser(async () => {
      throw new DOMException('', 'NotReadableError');
    });
    await expect(openMicrophone(preferences)).rejects.toMatchObject({ reason: 'microphone-busy' });
  });

  test('retries once if the microphone is busy, as it may just be being released', async () => {
    let tries = 0;
    browser(async () => {
      tries += 1;
      if (tries === 1) throw new DOMException('', 'NotReadableError');
      return stream('Desk', 1);
    });
    expect((await openMicrophone(preferences)).label).toBe('Desk');
  });

  test('does not prompt again after a denial', async () => {
    let tries = 0;
    browser(async () => {
      tries += 1;
      throw new DOMException('', 'NotAllowedError');
    });
    await expect(openMicrophone(preferences)).rejects.toMatchObject({ reason: 'microphone-refused' });
    expect(tries).toBe(1);
  });

  test('reports an insecure page without requesting the microphone', async () => {
    vi.stubGlobal('isSecureContext', false);
    await expect(openMicrophone(preferences)).rejects.toMatchObject({ reason: 'insecure-page' });
  });

  test('reports a mono microphone as mono even if the quality allows stereo', async () => {
    browser(async () => stream('Lapel', 1));
    expect((await openMicrophone({ ...preferences, quality: 'high' })).channels).toBe(1);
  });
});

test('reads damaged or unknown preferences as defaults', () => {
  expect(parseAudioPreferences('{"quality":"loud","echoCancellation":"yes"')).toEqual(
    parseAudioPreferences(null),
  );
  expect(parseAudioPreferences('{"quality":"loud","noiseSuppression":false}')).toEqual({
    ...parseAudioPreferences(null),
    noiseSuppression: false,
  });
});
