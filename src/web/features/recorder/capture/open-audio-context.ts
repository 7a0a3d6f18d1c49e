// Apart from capture-session.ts, which is fetched after the press.

/**
 * Call this during the press, because Safari leaves the context suspended otherwise. The context starts at once,
 * because WebKit loads no worklet into a context that has never run.
 */
export function openAudioContext(): AudioContext {
  const context = new AudioContext({ latencyHint: 'playback' });
  // openCaptureGraph waits, with a limit, until it runs.
  void context.resume().catch(() => undefined);
  return context;
}
