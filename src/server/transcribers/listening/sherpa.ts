import { createRequire } from 'node:module';

/** The parts of sherpa-onnx-node that are used. It has no types. */
export interface Sherpa {
  Vad: new (config: unknown, bufferSeconds: number) => SherpaVad;
  OfflineRecognizer: new (config: unknown) => SherpaRecognizer;
}

export interface SherpaVad {
  acceptWaveform(samples: Float32Array): void;
  isEmpty(): boolean;
  isDetected(): boolean;
  front(usesExternalBuffer: boolean): { start: number; samples: Float32Array };
  pop(): void;
  flush(): void;
  reset(): void;
}

interface SherpaStream {
  acceptWaveform(sound: { sampleRate: number; samples: Float32Array }): void;
}

export interface SherpaRecognizer {
  createStream(): SherpaStream;
  setConfig(config: unknown): void;
  decode(stream: SherpaStream): void;
  getResult(stream: SherpaStream): unknown;
}

/** Loads the engine. Only a child process may do that: a fault of the engine ends the process. */
export const loadSherpa = (): Sherpa => createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
