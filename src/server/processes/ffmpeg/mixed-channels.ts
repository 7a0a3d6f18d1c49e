/** The channels of a sound, and the loudspeakers that its file states for them. */
export interface SoundChannels {
  channels: number;
  /** ffmpeg's name for the stated loudspeakers; null if the file states none. */
  layout: string | null;
}

/** The loudspeakers that a WAV header can name, each the value of its bit (`dwChannelMask` of WAVEFORMATEXTENSIBLE). */
const speakerBits: Readonly<Record<string, number>> = {
  FL: 0x1,
  FR: 0x2,
  FC: 0x4,
  LFE: 0x8,
  BL: 0x10,
  BR: 0x20,
  FLC: 0x40,
  FRC: 0x80,
  BC: 0x100,
  SL: 0x200,
  SR: 0x400,
};

/** The loudspeakers of ffmpeg's layouts, in the order of their channels (`ffmpeg -layouts`). */
const layouts: Readonly<Record<string, string>> = {
  mono: 'FC',
  stereo: 'FL FR',
  '2.1': 'FL FR LFE',
  '3.0': 'FL FR FC',
  '3.0(back)': 'FL FR BC',
  '4.0': 'FL FR FC BC',
  quad: 'FL FR BL BR',
  'quad(side)': 'FL FR SL SR',
  '3.1': 'FL FR FC LFE',
  '5.0': 'FL FR FC BL BR',
  '5.0(side)': 'FL FR FC SL SR',
  '4.1': 'FL FR FC LFE BC',
  '5.1': 'FL FR FC LFE BL BR',
  '5.1(side)': 'FL FR FC LFE SL SR',
  '6.0': 'FL FR FC BC SL SR',
  '6.0(front)': 'FL FR FLC FRC SL SR',
  hexagonal: 'FL FR FC BL BR BC',
  '6.1': 'FL FR FC LFE BC SL SR',
  '6.1(back)': 'FL FR FC LFE BL BR BC',
  '6.1(front)': 'FL FR LFE FLC FRC SL SR',
  '7.0': 'FL FR FC BL BR SL SR',
  '7.0(front)': 'FL FR FC FLC FRC SL SR',
  '7.1': 'FL FR FC LFE BL BR SL SR',
  '7.1(wide)': 'FL FR FC LFE BL BR FLC FRC',
  '7.1(wide-side)': 'FL FR FC LFE FLC FRC SL SR',
  octagonal: 'FL FR FC BL BR BC SL SR',
};

/** The stated loudspeakers of a sound; null if none are stated, or others than those above. */
function speakersOf({ channels, layout }: SoundChannels): readonly string[] | null {
  const speakers = layouts[layout ?? '']?.split(' ');
  return speakers?.length === channels ? speakers : null;
}

/**
 * The loudspeakers of a sound as a WAV header states them; 0 if its file states none. Up to two channels need no
 * statement.
 */
export function speakerMask(sound: SoundChannels): number {
  if (sound.channels <= 2) return sound.channels === 1 ? 0x4 : 0x3;
  return (speakersOf(sound) ?? []).reduce((mask, speaker) => mask | (speakerBits[speaker] ?? 0), 0);
}

/** The channels that browsers and lossy formats play without leaving out one. */
const maxPlayedChannels = 2;
/** Minus 3 dB: a loudspeaker that is heard on both sides, or from behind (ITU-R BS.775-3, table 2). */
const aside = '0.7071';
/** Limits a sum of sounds to below full scale, and changes nothing below. */
export const limited = 'alimiter=level=0:latency=1';

/** The sum of channels, each with its gain; null leaves one out. */
const sum = (gains: readonly (string | null)[]): string =>
  gains.flatMap((gain, channel) => (gain === null ? [] : [`${gain}*c${channel}`])).join('+');

/**
 * How loud a loudspeaker is heard on one side; null if only on the other one. The one for low frequencies is in the
 * middle.
 */
function gainOf(speaker: string, side: 'L' | 'R'): string | null {
  if (speaker === `F${side}`) return '1';
  const other = side === 'L' ? 'R' : 'L';
  return speaker !== 'LFE' && speaker.includes(other) ? null : aside;
}

const sideOf = (speakers: readonly string[], side: 'L' | 'R'): string =>
  sum(speakers.map((speaker) => gainOf(speaker, side)));

/** How a sound of any number of channels is played on one or two. */
export interface ChannelMix {
  channels: 1 | 2;
  /** ffmpeg's filters for it; null if the channels are played as they are. */
  filter: string | null;
}

/**
 * Mixes more than two channels so that none is lost. Channels without stated loudspeakers are microphones: each is
 * heard as loud as the others. ffmpeg and browsers guess loudspeakers from the number of channels, and leave out the
 * one that they take for low frequencies.
 */
export function mixedChannels(sound: SoundChannels): ChannelMix {
  const { channels } = sound;
  if (channels <= maxPlayedChannels) return { channels: channels === 1 ? 1 : 2, filter: null };
  const speakers = speakersOf(sound);
  if (speakers !== null)
    return {
      channels: 2,
      filter: `pan=stereo|c0=${sideOf(speakers, 'L')}|c1=${sideOf(speakers, 'R')},${limited}`,
    };
  const all = sum(Array.from({ length: channels }, () => '1'));
  return { channels: 1, filter: `pan=mono|c0=${all},${limited}` };
}
