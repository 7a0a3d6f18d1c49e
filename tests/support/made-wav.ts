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

/** The format chunk of 16-bit samples. */
function formatOf(channels: number, sampleRateHz: number): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRateHz, 4);
  format.writeUInt32LE(sampleRateHz * 2 * channels, 8);
  format.writeUInt16LE(2 * channels, 12);
  format.writeUInt16LE(16, 14);
  return format;
}

/**
 * A 16-bit WAV file as field recorders write it: a tone in each channel, of this level (full scale is 1), and the names
 * of the channels in iXML.
 */
export function makeChannelsWav(
  levels: readonly number[],
  { seconds, names }: { seconds: number; names: readonly string[] },
): Buffer {
  const sampleRateHz = 48_000;
  const samples = Int16Array.from({ length: seconds * sampleRateHz * levels.length }, (_, index) =>
    Math.round(
      32_767 * (levels[index % levels.length] ?? 0) * Math.sin(Math.floor(index / levels.length) / 20),
    ),
  );
  const tracks = names.map(
    (name, index) =>
      `<TRACK><CHANNEL_INDEX>${index + 1}</CHANNEL_INDEX><INTERLEAVE_INDEX>${index + 1}</INTERLEAVE_INDEX><NAME>${name}</NAME></TRACK>`,
  );
  return chunk(
    'RIFF',
    Buffer.concat([
      Buffer.from('WAVE'),
      chunk('fmt ', formatOf(levels.length, sampleRateHz)),
      chunk('data', Buffer.from(samples.buffer)),
      chunk('iXML', Buffer.from(`<BWFXML><TRACK_LIST>${tracks.join('')}</TRACK_LIST></BWFXML>`)),
    ]),
  );
}

/** A 16-bit mono WAV file with a tone that never repeats exactly. */
export function makeWav({ seconds, sampleRateHz = 48_000, tags = {}, seed = 1 }: MadeWav): Buffer {
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
      chunk('fmt ', formatOf(1, sampleRateHz)),
      ...list,
      chunk('data', Buffer.from(samples.buffer)),
    ]),
  );
}
