import { openAudioContext } from './open-audio-context.ts';
import type { BeginTake, CaptureSession } from './take-session.ts';

/** What opens microphones and mends them: fetched while the page rests, long before most presses. */
export const loadCapture = async () => {
  const [{ beginTake }, { browserDevices }] = await Promise.all([
    import('./take-session.ts'),
    import('./take-devices.ts'),
  ]);
  return { beginTake, browserDevices };
};

/**
 * Opens microphone, graph and worker of this browser; the audio context first, still inside the press. Throws
 * `CaptureError`.
 */
export async function beginTakeHere(options: Omit<BeginTake, 'context'>): Promise<CaptureSession> {
  const context = openAudioContext();
  const { beginTake, browserDevices } = await loadCapture().catch((error: unknown) => {
    void context.close();
    throw error;
  });
  return beginTake(browserDevices, { ...options, context });
}
