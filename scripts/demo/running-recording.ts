import { setTimeout as delay } from 'node:timers/promises';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { type ApiClient, openStream, registerRecording } from '#tests/support/api-client.ts';
import { excerptOf, packetMs, type Speech } from './speech/read-speech.ts';

const sendEveryMs = 500;

/** One stream of a growing recording. Sends new bytes, and after a failure everything that the server lacks. */
class GrowingStream {
  readonly #client: ApiClient;
  readonly #upload: { uploadId: string; token: string };
  #unsent: Buffer = Buffer.alloc(0);
  #offsetBytes = 0;

  constructor(client: ApiClient, upload: { uploadId: string; token: string }) {
    this.#client = client;
    this.#upload = upload;
  }

  add(bytes: Uint8Array): void {
    this.#unsent = Buffer.concat([this.#unsent, bytes]);
  }

  async send(): Promise<void> {
    if (this.#unsent.length === 0) return;
    const { status } = await this.#client.append({
      ...this.#upload,
      offsetBytes: this.#offsetBytes,
      bytes: this.#unsent,
    });
    this.#drop(status === 204 ? this.#offsetBytes + this.#unsent.length : await this.#storedBytes());
  }

  async #storedBytes(): Promise<number> {
    const { uploadId, token } = this.#upload;
    const { headers } = await this.#client.send({
      method: 'HEAD',
      path: `/api/uploads/${uploadId}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const storedBytes = Number(headers['upload-offset'] ?? Number.NaN);
    return Number.isSafeInteger(storedBytes) ? storedBytes : this.#offsetBytes;
  }

  #drop(storedBytes: number): void {
    this.#unsent = this.#unsent.subarray(Math.max(0, storedBytes - this.#offsetBytes));
    this.#offsetBytes = Math.max(this.#offsetBytes, storedBytes);
  }
}

/**
 * Records a speech repeatedly, in real time, until the signal aborts. While the server is down the bytes wait;
 * they are sent when it is back, as the recorder does.
 */
export async function recordUntilAborted(
  client: ApiClient,
  { title, speech }: { title: string; speech: Speech },
  signal: AbortSignal,
): Promise<void> {
  const startedAtMs = Date.now();
  const registered = await registerRecording(client, {
    title,
    startedAt: new Date(startedAtMs),
    channels: speech.head.channels,
  });
  const streamOf = async (stream: 'audio' | 'peaks') =>
    new GrowingStream(client, {
      token: registered.token,
      uploadId: await openStream(client, registered, { stream, segmentIndex: 0, startMs: 0 }),
    });
  const [audio, peaks] = [await streamOf('audio'), await streamOf('peaks')];
  const writer = new OpusStreamWriter({
    channels: speech.head.channels,
    preSkip: speech.head.preSkip,
    inputSampleRateHz: opusGranuleRateHz,
    serialNumber: 1961,
    vendor: 'earshot demo',
  });
  for (const { bytes } of writer.headers()) audio.add(bytes);
  for (let packetCount = 0; !signal.aborted;) {
    for (; packetCount * packetMs < Date.now() - startedAtMs; packetCount += 1) {
      const index = packetCount % speech.packets.length;
      const {
        packets: [packet],
        peaks: points,
      } = excerptOf(speech, { fromMs: index * packetMs, toMs: (index + 1) * packetMs });
      const page = packet === undefined ? null : writer.push(packet);
      if (page !== null) audio.add(page.bytes);
      for (const each of points) peaks.add(new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
    }
    await Promise.allSettled([audio.send(), peaks.send()]);
    await delay(sendEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
