/** The options of a generated WAV file. */
export interface MadeWav {
  seconds: number;
  sampleRateHz?: number;
  /** RIFF INFO tags by their four-letter ids: INAM is the title, ICRD the date. */
  tags?: Record<string, string>;
  /** Files with different seeds have different audio bytes. */
  seed?: number;
}

const chunk = (id: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};

/** A 16-bit mono WAV file with a tone that never repeats exactly. */
export function makeWav({ seconds, sampleRateHz = 48_000, tags = {}, seed = 1 }: MadeWav): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(sampleRateHz, 4);
  format.writeUInt32LE(sampleRateHz * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const samples = new Int16Array(Math.round(seconds * sampleRateHz));
  for (let index = 0, state = seed; index < samples.length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    samples[index] = Math.round(Math.sin(index / 40) * 9000 + ((state >> 16) & 1023));
  }
  const information = Object.entries(tags).map(([id, text]) => chunk(id, Buffer.from(`${text}\0`, 'latin1')));
  const list =
    information.length === 0 ? [] : [chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...information]))];
  return chunk(
    'RIFF',
    Buffer.concat([
      Buffer.from('WAVE'),
      chunk('fmt ', format),
      ...list,
      chunk('data', Buffer.from(samples.buffer)),
    ]),
  );
}
