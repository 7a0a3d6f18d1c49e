import { qualities, type Quality } from '#contract/limits.ts';

/** Whether WebCodecs can encode Opus in this browser. If not, MediaRecorder has to. */
export async function canEncodeOpus(quality: Quality, sampleRateHz: number): Promise<boolean> {
  if (globalThis.AudioEncoder === undefined) return false;
  const { bitrateBps, channels } = qualities[quality];
  try {
    const { supported } = await AudioEncoder.isConfigSupported({
      codec: 'opus',
      sampleRate: sampleRateHz,
      numberOfChannels: channels,
      bitrate: bitrateBps,
    });
    return supported === true;
  } catch {
    return false;
  }
}
