import { captureWorkletName, type PcmBlock, type ToCaptureWorklet } from './messages.ts';

const blocksPerSecond = 50;

/**
 * Carries sound from the microphone to the take worker. Collects render quanta into blocks of 20 ms and transfers
 * them over a separate port, so that a busy or frozen page does not delay them.
 */
class CaptureProcessor extends AudioWorkletProcessor implements AudioWorkletProcessorImpl {
  readonly #blockFrames = Math.round(sampleRate / blocksPerSecond);
  #worker: MessagePort | null = null;
  #channels: Float32Array<ArrayBuffer>[] = [];
  #filled = 0;
  /** The context's frame count at the first sample of the open block. */
  #blockBegan = 0;
  #closed = false;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToCaptureWorklet>) => {
      if (data.type === 'connect') this.#worker = data.port;
      else this.#close();
    };
  }

  /**
   * Called for every render quantum. Returning true keeps the processor alive although its output is not
   * connected.
   */
  process([input = []]: Float32Array[][]): boolean {
    if (this.#worker !== null && input.length > 0) this.#collect(input);
    return !this.#closed;
  }

  #collect(input: readonly Float32Array[]): void {
    const frames = input[0]?.length ?? 0;
    const isContinuation =
      input.length === this.#channels.length && currentFrame === this.#blockBegan + this.#filled;
    if (!isContinuation) this.#start(input.length, currentFrame);
    for (let from = 0; from < frames;) {
      const count = Math.min(frames - from, this.#blockFrames - this.#filled);
      input.forEach((samples, channel) =>
        this.#channels[channel]?.set(samples.subarray(from, from + count), this.#filled),
      );
      this.#filled += count;
      from += count;
      if (this.#filled === this.#blockFrames) this.#start(input.length, currentFrame + from);
    }
  }

  /** Sends the current block and starts the next one. */
  #start(channelCount: number, frame: number): void {
    this.#send();
    this.#blockBegan = frame;
    this.#filled = 0;
    this.#channels = Array.from({ length: channelCount }, () => new Float32Array(this.#blockFrames));
  }

  #send(): void {
    if (this.#filled === 0) return;
    // A block cut short by a hole in the frame count must not carry the rest of its buffer.
    const channels =
      this.#filled === this.#blockFrames
        ? this.#channels
        : this.#channels.map((samples) => samples.slice(0, this.#filled));
    const block: PcmBlock = { type: 'pcm', frame: this.#blockBegan, channels };
    this.#worker?.postMessage(
      block,
      channels.map(({ buffer }) => buffer),
    );
  }

  #close(): void {
    this.#send();
    this.#filled = 0;
    this.#channels = [];
    this.#worker = null;
    this.#closed = true;
  }
}

registerProcessor(captureWorkletName, CaptureProcessor);
