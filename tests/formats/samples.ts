/** One file of the table, and how ffmpeg creates it from the signal. */
export interface Sample {
  /** The file's name, whose part before the dot is unique. */
  file: string;
  container: string;
  codec: string;
  mediaType: string;
  sampleRateHz: number;
  channels: number;
  ffmpeg: readonly string[];
  seconds: number;
  hasVideo?: true;
  /** Written to a pipe, as by recorders that cannot seek back: without length and index. */
  isPiped?: true;
}

type Shape = [file: string, codec: string, sampleRateHz: number, channels: number, ffmpeg: string];

const of = (container: string, mediaType: string, shapes: readonly Shape[]): Sample[] =>
  shapes.map(([file, codec, sampleRateHz, channels, ffmpeg]) => ({
    file,
    container,
    codec,
    mediaType,
    sampleRateHz,
    channels,
    ffmpeg: ffmpeg.split(' '),
    seconds: 10,
  }));

/** With video, a small grey picture, so that the audio is one of two tracks. */
const filmed = (container: string, mediaType: string, shapes: readonly Shape[]): Sample[] =>
  of(container, mediaType, shapes).map((sample) => ({ ...sample, hasVideo: true }));

const mpeg = of('MP3', 'audio/mpeg', [
  ['mp3-cbr.mp3', 'MP3, 128 kbit/s', 44_100, 2, '-c:a libmp3lame -b:a 128k'],
  ['mp3-vbr.mp3', 'MP3, VBR', 44_100, 2, '-c:a libmp3lame -q:a 4'],
  [
    'mp3-vbr-bare.mp3',
    'MP3, VBR without a Xing header',
    44_100,
    2,
    '-c:a libmp3lame -q:a 4 -write_xing 0 -id3v2_version 0',
  ],
  [
    'mp3-cbr-bare.mp3',
    'MP3, 128 kbit/s without an Info header',
    44_100,
    2,
    '-c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0',
  ],
  ['mp3-mpeg2.mp3', 'MP3, MPEG-2', 22_050, 1, '-c:a libmp3lame -b:a 48k'],
  ['mp3-mpeg25.mp3', 'MP3, MPEG-2.5', 8000, 1, '-c:a libmp3lame -b:a 16k'],
  ['mp2.mp2', 'MP2', 44_100, 2, '-c:a mp2 -b:a 192k'],
]);

const wave = of('WAV', 'audio/wav', [
  ['wav-u8.wav', 'PCM, 8 bit', 8000, 1, '-c:a pcm_u8'],
  ['wav-s16.wav', 'PCM, 16 bit', 44_100, 2, '-c:a pcm_s16le'],
  ['wav-s24.wav', 'PCM, 24 bit', 96_000, 2, '-c:a pcm_s24le'],
  ['wav-s32.wav', 'PCM, 32 bit', 48_000, 1, '-c:a pcm_s32le'],
  ['wav-f32.wav', 'PCM, float 32', 48_000, 2, '-c:a pcm_f32le'],
  ['wav-f64.wav', 'PCM, float 64', 48_000, 1, '-c:a pcm_f64le'],
  ['wav-six.wav', 'PCM, 16 bit, 5.1', 48_000, 6, '-c:a pcm_s16le'],
  ['wav-rf64.wav', 'PCM, 16 bit, RF64', 48_000, 2, '-c:a pcm_s16le -rf64 always'],
  ['wav-alaw.wav', 'A-law', 8000, 1, '-c:a pcm_alaw'],
  ['wav-mulaw.wav', 'µ-law', 8000, 1, '-c:a pcm_mulaw'],
  ['wav-adpcm.wav', 'ADPCM', 22_050, 1, '-c:a adpcm_ms'],
  ['wav-gsm.wav', 'GSM', 8000, 1, '-c:a libgsm_ms'],
]);

const free = [
  ...of('FLAC', 'audio/flac', [
    ['flac-16.flac', 'FLAC, 16 bit', 44_100, 2, '-c:a flac'],
    ['flac-24.flac', 'FLAC, 24 bit', 96_000, 1, '-c:a flac -sample_fmt s32'],
  ]),
  ...of('Ogg', 'audio/ogg', [
    ['ogg-opus.ogg', 'Opus', 48_000, 2, '-c:a libopus -b:a 64k'],
    ['ogg-opus-mono.opus', 'Opus, mono', 48_000, 1, '-c:a libopus -b:a 24k -f ogg'],
    ['ogg-vorbis.ogg', 'Vorbis', 44_100, 2, '-c:a libvorbis -q:a 3'],
    ['ogg-flac.oga', 'FLAC', 44_100, 1, '-c:a flac -f ogg'],
    ['ogg-speex.spx', 'Speex', 16_000, 1, '-c:a libspeex -f ogg'],
  ]),
  ...of('WebM', 'audio/webm', [
    ['webm-opus.webm', 'Opus', 48_000, 1, '-c:a libopus -b:a 48k'],
    ['webm-vorbis.webm', 'Vorbis', 44_100, 2, '-c:a libvorbis -q:a 3'],
  ]),
  ...of('Matroska', 'audio/x-matroska', [
    ['mka-opus.mka', 'Opus', 48_000, 2, '-c:a libopus'],
    ['mka-vorbis.mka', 'Vorbis', 44_100, 1, '-c:a libvorbis'],
    ['mka-flac.mka', 'FLAC', 48_000, 2, '-c:a flac'],
    ['mka-aac.mka', 'AAC', 44_100, 2, '-c:a aac'],
    ['mka-mp3.mka', 'MP3', 44_100, 2, '-c:a libmp3lame'],
    ['mka-pcm.mka', 'PCM, 16 bit', 48_000, 1, '-c:a pcm_s16le'],
    ['mka-ac3.mka', 'AC-3', 48_000, 2, '-c:a ac3'],
  ]),
];

const boxes = [
  ...of('ADTS', 'audio/aac', [
    ['adts.aac', 'AAC', 44_100, 2, '-c:a aac -f adts'],
    ['adts-low.aac', 'AAC, 16 kHz', 16_000, 1, '-c:a aac -f adts'],
  ]),
  ...of('MP4', 'audio/mp4', [
    ['m4a-aac.m4a', 'AAC', 44_100, 2, '-c:a aac'],
    ['m4a-aac-fast.m4a', 'AAC, index first', 48_000, 1, '-c:a aac -movflags +faststart'],
    [
      'm4a-fragmented.mp4',
      'AAC, in fragments',
      48_000,
      1,
      '-c:a aac -movflags +frag_keyframe+empty_moov -frag_duration 1000000',
    ],
    ['m4a-alac.m4a', 'ALAC', 44_100, 2, '-c:a alac'],
    ['m4a-opus.mp4', 'Opus', 48_000, 2, '-c:a libopus -f mp4'],
    ['m4a-flac.mp4', 'FLAC', 44_100, 2, '-c:a flac -strict -2 -f mp4'],
    ['m4a-mp3.mp4', 'MP3', 44_100, 2, '-c:a libmp3lame -f mp4'],
    ['m4a-ac3.mp4', 'AC-3', 48_000, 2, '-c:a ac3 -f mp4'],
    ['m4a-eac3.mp4', 'E-AC-3', 48_000, 2, '-c:a eac3 -f mp4'],
  ]),
  ...of('QuickTime', 'video/quicktime', [
    ['mov-s16le.mov', 'PCM, 16 bit', 48_000, 2, '-c:a pcm_s16le'],
    ['mov-s24be.mov', 'PCM, 24 bit, big-endian', 48_000, 1, '-c:a pcm_s24be'],
    ['mov-aac.mov', 'AAC', 44_100, 2, '-c:a aac'],
  ]),
];

const others = [
  ...of('AIFF', 'audio/aiff', [
    ['aiff-16.aiff', 'PCM, 16 bit', 44_100, 2, '-c:a pcm_s16be'],
    ['aiff-24.aiff', 'PCM, 24 bit', 48_000, 1, '-c:a pcm_s24be'],
    ['aifc-sowt.aifc', 'PCM, 16 bit, little-endian', 44_100, 1, '-c:a pcm_s16le -f aiff'],
  ]),
  ...of('CAF', 'audio/x-caf', [
    ['caf-pcm.caf', 'PCM, 16 bit', 44_100, 2, '-c:a pcm_s16le'],
    ['caf-alac.caf', 'ALAC', 44_100, 1, '-c:a alac'],
    ['caf-opus.caf', 'Opus', 48_000, 2, '-c:a libopus'],
  ]),
  ...of('ASF', 'audio/x-ms-wma', [['wma.wma', 'WMA 2', 44_100, 2, '-c:a wmav2']]),
  ...of('AC-3', 'audio/ac3', [['ac3.ac3', 'AC-3', 48_000, 2, '-c:a ac3']]),
  ...of('AU', 'audio/basic', [['au.au', 'µ-law', 8000, 1, '-c:a pcm_mulaw']]),
  ...of('WavPack', 'audio/x-wavpack', [['wavpack.wv', 'WavPack', 44_100, 2, '-c:a wavpack']]),
  ...of('True Audio', 'audio/x-tta', [['tta.tta', 'TTA', 44_100, 2, '-c:a tta']]),
  ...of('MPEG-TS', 'video/mp2t', [['ts-aac.ts', 'AAC', 48_000, 2, '-c:a aac -f mpegts']]),
];

const films = [
  ...filmed('MP4, video', 'video/mp4', [
    ['film.mp4', 'AAC beside H.264', 48_000, 2, '-c:a aac -c:v libx264 -pix_fmt yuv420p'],
  ]),
  ...filmed('WebM, video', 'video/webm', [
    ['film.webm', 'Opus beside VP8', 48_000, 2, '-c:a libopus -c:v libvpx -b:v 100k'],
  ]),
  ...filmed('Matroska, video', 'video/x-matroska', [
    ['film.mkv', 'AAC beside H.264', 48_000, 2, '-c:a aac -c:v libx264 -pix_fmt yuv420p'],
  ]),
  ...filmed('QuickTime, video', 'video/quicktime', [
    ['film.mov', 'AAC beside H.264', 44_100, 1, '-c:a aac -c:v libx264 -pix_fmt yuv420p'],
  ]),
  ...filmed('AVI, video', 'video/x-msvideo', [
    ['film.avi', 'MP3 beside MPEG-4', 44_100, 2, '-c:a libmp3lame -c:v mpeg4'],
  ]),
  ...filmed('MPEG-TS, video', 'video/mp2t', [
    ['film.ts', 'AAC beside H.264', 48_000, 2, '-c:a aac -c:v libx264 -pix_fmt yuv420p -f mpegts'],
  ]),
];

/** Five minutes, which no player loads at once. */
const long = (of: readonly Sample[]): Sample[] =>
  of.map((sample) => ({ ...sample, codec: `${sample.codec}, 5 min`, seconds: 300 }));
const piped = (of: readonly Sample[]): Sample[] => of.map((sample) => ({ ...sample, isPiped: true }));

const longWithIndex = long([
  ...of('MP3', 'audio/mpeg', [
    ['long-cbr.mp3', 'MP3, 64 kbit/s', 44_100, 1, '-c:a libmp3lame -b:a 64k'],
    ['long-vbr.mp3', 'MP3, VBR', 44_100, 1, '-c:a libmp3lame -q:a 5'],
  ]),
  ...of('WAV', 'audio/wav', [['long.wav', 'PCM, 16 bit', 16_000, 1, '-c:a pcm_s16le']]),
  ...of('FLAC', 'audio/flac', [['long.flac', 'FLAC', 16_000, 1, '-c:a flac']]),
  ...of('Ogg', 'audio/ogg', [
    ['long.opus', 'Opus', 48_000, 1, '-c:a libopus -b:a 32k'],
    ['long.ogg', 'Vorbis', 44_100, 1, '-c:a libvorbis -q:a 1'],
  ]),
  ...of('WebM', 'audio/webm', [['long.webm', 'Opus', 48_000, 1, '-c:a libopus -b:a 32k']]),
  ...of('MP4', 'audio/mp4', [['long.m4a', 'AAC', 48_000, 1, '-c:a aac -b:a 64k']]),
  ...of('MPEG-TS', 'video/mp2t', [['long.ts', 'AAC', 48_000, 1, '-c:a aac -b:a 64k -f mpegts']]),
]);

const shapesWithoutIndex = [
  ...of('WebM', 'audio/webm', [
    ['live-opus.webm', 'Opus, without length and cues', 48_000, 1, '-c:a libopus -b:a 32k -f webm'],
    ['live-vorbis.webm', 'Vorbis, without length and cues', 44_100, 1, '-c:a libvorbis -q:a 1 -f webm'],
  ]),
  ...of('FLAC', 'audio/flac', [['live.flac', 'FLAC, without a length', 16_000, 1, '-c:a flac -f flac']]),
  ...of('MP4', 'audio/mp4', [
    [
      'live.mp4',
      'AAC, in fragments without an index',
      48_000,
      1,
      '-c:a aac -b:a 64k -movflags +frag_keyframe+empty_moov+default_base_moof -frag_duration 1000000 -f mp4',
    ],
  ]),
];
const withoutIndex = piped([
  ...shapesWithoutIndex,
  ...long(shapesWithoutIndex).map((sample) => ({ ...sample, file: `long-${sample.file}` })),
]);

/** Every container with every codec that an import may get. */
export const samples: readonly Sample[] = [
  ...mpeg,
  ...wave,
  ...free,
  ...boxes,
  ...others,
  ...films,
  ...longWithIndex,
  ...withoutIndex,
];
