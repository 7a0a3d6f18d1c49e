import { qualities } from '#contract/limits.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { microphones } from './microphone-list.ts';
import { CaptureError, rejectionReasonOf } from './capture-error.ts';

export interface Microphone {
  stream: MediaStream;
  label: string | null;
  deviceId: string | null;
  /** The physical device, which is the same for all entries that a browser lists for it. */
  groupId: string | null;
  /** The number of channels of the microphone, at most that of the quality. */
  channels: number;
}

/**
 * Every processing step is set explicitly, because browsers have different defaults. *High* is recorded without any of
 * them, because what they remove can't be restored.
 */
export function constraintsFor(preferences: AudioPreferences): MediaTrackConstraints {
  const { deviceId, echoCancellation, noiseSuppression, autoGainControl, quality } = preferences;
  const isProcessed = quality === 'speech';
  return {
    echoCancellation: isProcessed && echoCancellation,
    noiseSuppression: isProcessed && noiseSuppression,
    autoGainControl: isProcessed && autoGainControl,
    channelCount: { ideal: qualities[quality].channels },
    ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
  };
}

/** The wait before a busy device is tried again. It may just be being released, after a call or a reload. */
const lettingGoMs = 500;

/**
 * The preferences for a second attempt: another microphone if the chosen one is gone, the same one after a wait if
 * it is busy.
 * @throws CaptureError if a second attempt can't help
 */
async function secondOptions(error: unknown, preferences: AudioPreferences): Promise<AudioPreferences> {
  const reason = rejectionReasonOf(error);
  // The chosen microphone may be unplugged. Any other one is better than none.
  if (reason === 'microphone-missing' && preferences.deviceId !== null)
    return { ...preferences, deviceId: null };
  if (reason !== 'microphone-busy') throw new CaptureError(reason, error);
  await new Promise((resolve) => {
    setTimeout(resolve, lettingGoMs);
  });
  return preferences;
}

const requestOnce = (preferences: AudioPreferences): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: constraintsFor(preferences) });

async function requestStream(preferences: AudioPreferences): Promise<MediaStream> {
  try {
    return await requestOnce(preferences).catch(async (error: unknown) =>
      requestOnce(await secondOptions(error, preferences)),
    );
  } catch (error) {
    throw error instanceof CaptureError ? error : new CaptureError(rejectionReasonOf(error), error);
  }
}

/**
 * Requests the microphone.
 * @throws CaptureError
 */
export async function openMicrophone(preferences: AudioPreferences): Promise<Microphone> {
  if (!globalThis.isSecureContext || navigator.mediaDevices === undefined)
    throw new CaptureError('insecure-page');
  const stream = await requestStream(preferences);
  microphones.refresh();
  const track = stream.getAudioTracks()[0];
  if (!track) throw new CaptureError('microphone-missing');
  const { channelCount, deviceId, groupId } = track.getSettings();
  return {
    stream,
    label: track.label.slice(0, 200) || null,
    deviceId: deviceId ?? null,
    groupId: groupId ?? null,
    channels: Math.max(
      1,
      Math.min(
        qualities[preferences.quality].channels,
        channelCount ?? qualities[preferences.quality].channels,
      ),
    ),
  };
}

export function closeMicrophone({ stream }: Microphone): void {
  for (const track of stream.getTracks()) track.stop();
}
