// In a separate file, because capture-session.ts is loaded after the press.

/**
 * Call this during the press, because Safari otherwise leaves the context suspended. The context is resumed
 * immediately, because WebKit loads no worklet into a context that has never run.
 */
export function openAudioContext(): AudioContext {
  const context = new AudioContext({ latencyHint: 'playback' });
  // openCaptureGraph waits, for a limited time, until it runs.
  void context.resume().catch(() => undefined);
  return context;
}
