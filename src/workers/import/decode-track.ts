import {
  AudioSample,
  AudioSampleSink,
  type EncodedPacket,
  EncodedPacketSink,
  type InputAudioTrack,
  PCM_AUDIO_CODECS,
} from 'mediabunny';

/**
 * Limit of packets in the decoder's queue. It is refilled at half of this, so that the decoder never idles and is
 * rarely checked.
 */
const maxQueued = 256;

/** Receives a piece of sound, which is closed afterwards. */
export type TakeSample = (sample: AudioSample) => void;

/**
 * Places decoded pieces one after another, because their own timestamps are rounded, and in some browsers all
 * start at zero.
 */
class SampleClock {
  readonly #startsAtS: number;
  readonly #sampleRateHz: number;
  #offsetS: number | null = null;
  #nextS = Number.NaN;

  constructor(startsAtS: number, sampleRateHz: number) {
    this.#startsAtS = startsAtS;
    this.#sampleRateHz = sampleRateHz;
  }

  place(sample: AudioSample): void {
    this.#offsetS ??= this.#startsAtS - sample.timestamp;
    const ownS = sample.timestamp + this.#offsetS;
    // A timestamp far from the expected one is a real jump.
    if (!(Math.abs(ownS - this.#nextS) < sample.duration)) this.#nextS = ownS;
    sample.setTimestamp(Math.round(this.#nextS * this.#sampleRateHz) / this.#sampleRateHz);
    this.#nextS += sample.duration;
  }
}

/**
 * The browser's decoder with a bounded queue; passes decoded sound to `take`. Stores the first error, its own or
 * of `take`.
 */
class BusyDecoder {
  readonly #decoder: AudioDecoder;
  readonly #clock: SampleClock;
  readonly #take: TakeSample;
  #failure: Error | null = null;
  #wake: () => void = () => undefined;

  constructor(config: AudioDecoderConfig, clock: SampleClock, take: TakeSample) {
    this.#clock = clock;
    this.#take = take;
    this.#decoder = new AudioDecoder({
      output: (data) => {
        this.#output(new AudioSample(data));
      },
      error: (error) => {
        this.#failure ??= error;
        this.#wake();
      },
    });
    this.#decoder.configure(config);
  }

  get isFull(): boolean {
    return this.#decoder.decodeQueueSize >= maxQueued;
  }

  decode(packet: EncodedPacket): void {
    if (this.#failure !== null) throw this.#failure;
    this.#decoder.decode(packet.toEncodedAudioChunk());
  }

  /** Resolves when half of the queue is decoded, or after an error. */
  async whenReady(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#decoder.ondequeue = () => {
      if (this.#decoder.decodeQueueSize <= maxQueued / 2) resolve();
    };
    await promise;
    this.#decoder.ondequeue = null;
  }

  async finish(): Promise<void> {
    await this.#decoder.flush();
    if (this.#failure !== null) throw this.#failure;
  }

  close(): void {
    if (this.#decoder.state !== 'closed') this.#decoder.close();
  }

  #output(sample: AudioSample): void {
    try {
      if (this.#failure !== null || sample.numberOfFrames === 0) return;
      this.#clock.place(sample);
      this.#take(sample);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      sample.close();
    }
  }
}

/** Decodes with the browser's decoder and a queue of packets, because waiting for each packet is slower. */
async function decodePackets(
  track: InputAudioTrack,
  config: AudioDecoderConfig,
  take: TakeSample,
): Promise<void> {
  let decoder: BusyDecoder | null = null;
  try {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      decoder ??= new BusyDecoder(config, new SampleClock(packet.timestamp, config.sampleRate), take);
      decoder.decode(packet);
      if (decoder.isFull) await decoder.whenReady();
    }
    await decoder?.finish();
  } finally {
    decoder?.close();
  }
}

/**
 * Decodes a track from start to end and passes on its sound piece by piece, with timestamps in seconds (sound
 * before zero is the decoder's start-up).
 * @throws the error of the decoder or of `take`, which ends decoding
 */
export async function decodeTrack(track: InputAudioTrack, take: TakeSample): Promise<void> {
  const config = await track.getDecoderConfig();
  if (config === null) throw new Error('the track has no decoder configuration');
  if (!PCM_AUDIO_CODECS.some((codec) => codec === config.codec)) return decodePackets(track, config, take);
  for await (const sample of new AudioSampleSink(track).samples()) {
    try {
      take(sample);
    } finally {
      sample.close();
    }
  }
}
