import { openAudioContext } from './open-audio-context.ts';
import type { StartTake, CaptureSession } from './take-session.ts';

/** What opens microphones and mends them: fetched while the page rests, long before most presses. */
export const loadCapture = async () => {
  const [{ startTake }, { browserDevices }] = await Promise.all([
    import('./take-session.ts'),
    import('./take-devices.ts'),
  ]);
  return { startTake, browserDevices };
};

/**
 * Opens microphone, graph and worker of this browser; the audio context first, still inside the press. Throws
 * `CaptureError`.
 */
export async function startLocalTake(options: Omit<StartTake, 'context'>): Promise<CaptureSession> {
  const context = openAudioContext();
  const { startTake, browserDevices } = await loadCapture().catch((error: unknown) => {
    void context.close();
    throw error;
  });
  return startTake(browserDevices, { ...options, context });
}
