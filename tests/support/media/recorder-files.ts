import { ffmpegFile, pipedTone, remuxedFile, soundsFromMs, toneFile, toneInput } from './ffmpeg-files.ts';

/** A file as some recorder, phone or program writes it, with its expected length and start of the tone. */
export interface RecorderFile {
  name: string;
  bytes: () => Buffer;
  lengthMs: number;
  soundsFromMs: number | null;
}

const opus = ['-c:a', 'libopus', '-b:a', '32k'];
const vorbis = ['-c:a', 'libvorbis', '-q:a', '1'];
const mp3 = ['-c:a', 'libmp3lame', '-b:a', '64k', '-ac', '1'];
const bareMp3 = [...mp3, '-write_xing', '0', '-id3v2_version', '0'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];
const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-frag_duration', '1000000'];

const toned = (name: string, lengthMs: number, bytes: () => Buffer): RecorderFile => ({
  name,
  bytes,
  lengthMs,
  soundsFromMs,
});
const joined = (...parts: Buffer[]): Buffer => Buffer.concat(parts);

/** An ID3v2 tag with `sizeBytes` zero bytes. */
function id3v2(sizeBytes: number): Buffer {
  const tag = Buffer.alloc(10 + sizeBytes);
  tag.write('ID3', 0);
  tag[3] = 3;
  for (let place = 0; place < 4; place += 1) tag[9 - place] = (sizeBytes >> (7 * place)) & 127;
  return tag;
}

/** M3: files in containers and codecs that browsers play, without the index that a player needs to seek. */
export const withoutIndex: readonly RecorderFile[] = [
  toned('webm-opus-live.webm', 6000, () => pipedTone([...opus, '-f', 'webm'])),
  toned('webm-vorbis-live.webm', 6000, () => pipedTone([...vorbis, '-f', 'webm'])),
  toned('webm-opus-minute.webm', 60_000, () => pipedTone([...opus, '-f', 'webm'], { seconds: 60 })),
  toned('fragments-aac.m4a', 6000, () => toneFile('a.mp4', [...aac, ...fragments])),
  toned('fragments-opus.mp4', 6000, () => toneFile('a.mp4', [...opus, ...fragments])),
  toned('fragments-flac.mp4', 6000, () => toneFile('a.mp4', ['-c:a', 'flac', '-strict', '-2', ...fragments])),
  toned('flac-no-total.flac', 6000, () => pipedTone(['-f', 'flac'], { rateHz: 16_000 })),
  toned('flac-no-total-44.flac', 6000, () => pipedTone(['-ac', '2', '-f', 'flac'], { rateHz: 44_100 })),
  toned('flac-id3-first.flac', 6000, () => joined(id3v2(200), toneFile('a.flac', []))),
  toned('flac-large-id3-first.flac', 6000, () => joined(id3v2(80_000), toneFile('a.flac', []))),
  toned('flac-id3-no-total.flac', 6000, () => joined(id3v2(10), pipedTone(['-f', 'flac']))),
];

/**
 * M3, M5: several concatenated streams, as written by programs that join files and by recorders that were paused.
 */
export const chained: readonly RecorderFile[] = [
  toned('two-opus.opus', 12_000, () =>
    joined(toneFile('a.opus', opus), ffmpegFile('b.opus', [...toneInput(6, { hz: 700 }), ...opus])),
  ),
  toned('three-opus.opus', 9000, () => {
    const part = toneFile('a.opus', opus, { seconds: 3 });
    return joined(part, part, part);
  }),
  toned('two-vorbis.ogg', 12_000, () =>
    joined(toneFile('a.ogg', vorbis), ffmpegFile('b.ogg', [...toneInput(6, { hz: 700 }), ...vorbis])),
  ),
  toned('three-vorbis.ogg', 9000, () => {
    const part = toneFile('a.ogg', vorbis, { seconds: 3 });
    return joined(part, part, part);
  }),
  toned('opus-of-two-bitrates.opus', 9000, () =>
    joined(toneFile('a.opus', opus), toneFile('b.opus', ['-c:a', 'libopus', '-b:a', '96k'], { seconds: 3 })),
  ),
  toned('two-mp3.mp3', 12_000, () => joined(toneFile('a.mp3', mp3), toneFile('b.mp3', mp3))),
  toned('two-bare-mp3.mp3', 12_000, () => joined(toneFile('a.mp3', bareMp3), toneFile('b.mp3', bareMp3))),
  toned('mp3-of-two-bitrates.mp3', 12_000, () =>
    joined(toneFile('a.mp3', mp3), toneFile('b.mp3', ['-c:a', 'libmp3lame', '-b:a', '128k', '-ac', '1'])),
  ),
  toned('three-mp3.mp3', 9000, () => {
    const part = toneFile('a.mp3', mp3, { seconds: 3 });
    return joined(part, part, part);
  }),
];

/** M4: files of recorders that were cut off. */
export const cutOff: readonly RecorderFile[] = [
  toned('mp3-cut-in-frame.mp3', 5976, () => toneFile('a.mp3', bareMp3).subarray(300)),
  toned('mp3-cut-at-both-ends.mp3', 5950, () => {
    const whole = toneFile('a.mp3', bareMp3);
    return whole.subarray(300, whole.length - 150);
  }),
  toned('mp3-behind-zeros.mp3', 6024, () => joined(Buffer.alloc(3000), toneFile('a.mp3', bareMp3))),
  toned('aac-cut-in-frame.aac', 6000, () => {
    const whole = toneFile('a.aac', aac);
    return whole.subarray(30, whole.length - 30);
  }),
];

/** M9: audio whose timestamps do not start at zero. */
export const lateStarts: readonly RecorderFile[] = [
  toned('opus-at-5s.opus', 6000, () =>
    remuxedFile('a.opus', { 'in.opus': toneFile('in.opus', opus) }, ['-output_ts_offset', '5']),
  ),
  toned('opus-at-10h.opus', 6000, () =>
    remuxedFile('a.opus', { 'in.opus': toneFile('in.opus', opus) }, ['-output_ts_offset', '36000']),
  ),
  toned('vorbis-at-5s.ogg', 6000, () =>
    remuxedFile('a.ogg', { 'in.ogg': toneFile('in.ogg', vorbis) }, ['-output_ts_offset', '5']),
  ),
  toned('aac.ts', 6000, () => toneFile('a.ts', aac)),
  toned('aac-at-5h.ts', 6000, () => toneFile('a.ts', [...aac, '-output_ts_offset', '18000'])),
  toned('mp2.ts', 6000, () => toneFile('a.ts', ['-c:a', 'mp2'])),
  toned('opus-at-5s.webm', 6000, () =>
    remuxedFile('a.webm', { 'in.webm': toneFile('in.webm', opus) }, ['-output_ts_offset', '5']),
  ),
  toned('aac-at-5s.mkv', 6000, () =>
    remuxedFile('a.mkv', { 'in.m4a': toneFile('in.m4a', aac) }, ['-output_ts_offset', '5']),
  ),
  toned('film-with-late-sound.mp4', 6000, () =>
    ffmpegFile('a.mp4', [
      '-f',
      'lavfi',
      '-i',
      'color=c=blue:s=64x64:r=5:d=8',
      '-itsoffset',
      '2',
      ...toneInput(6),
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      ...aac,
    ]),
  ),
];

/** M12: files with encoder delay, which decoders remove. */
export const delayed: readonly RecorderFile[] = [
  toned('lame-44.mp3', 6000, () => toneFile('a.mp3', mp3, { rateHz: 44_100 })),
  toned('lame-24.mp3', 6000, () =>
    toneFile('a.mp3', ['-c:a', 'libmp3lame', '-b:a', '32k'], { rateHz: 24_000 }),
  ),
  toned('lame-8.mp3', 6000, () => toneFile('a.mp3', ['-c:a', 'libmp3lame', '-b:a', '16k'], { rateHz: 8000 })),
  toned('lame-varying.mp3', 6000, () => toneFile('a.mp3', ['-c:a', 'libmp3lame', '-q:a', '5', '-ac', '1'])),
  toned('aac.m4a', 6000, () => toneFile('a.m4a', aac)),
  toned('opus.opus', 6000, () => toneFile('a.opus', opus)),
];

const zeros = Buffer.alloc(48_000);
const junk = (): Buffer =>
  Buffer.from(
    Array.from({ length: 48_000 }, (_, index) => (Math.imul(index + 1, 2_654_435_761) >>> 13) & 255),
  );

/** M13: bytes after the audio, as card readers and broken downloads leave them. */
export const withTail: readonly RecorderFile[] = [
  toned('zero-tail.mp3', 6024, () => joined(toneFile('a.mp3', bareMp3), zeros)),
  toned('junk-tail.mp3', 6024, () => joined(toneFile('a.mp3', bareMp3), junk())),
  toned('zero-tail.opus', 6000, () => joined(toneFile('a.opus', opus), zeros)),
  toned('zero-tail.m4a', 6000, () => joined(toneFile('a.m4a', aac), zeros)),
  toned('zero-tail.flac', 6000, () => joined(toneFile('a.flac', []), zeros)),
  toned('zero-tail.aac', 6000, () => joined(toneFile('a.aac', aac), zeros)),
];

const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=6:r=48000:a=0.1'];

const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'];

/** M11: files with tracks in several languages, of which the one marked as default is played. */
export const severalTracks: readonly RecorderFile[] = [
  toned('two.mkv', 6000, () =>
    ffmpegFile('a.mkv', [...toneInput(6), ...noise, '-map', '0', '-map', '1', ...aac, ...languages]),
  ),
  toned('two.m4a', 6000, () =>
    ffmpegFile('a.m4a', [...toneInput(6), ...noise, '-map', '0', '-map', '1', ...aac, ...languages]),
  ),
  toned('second-is-default.mka', 6000, () =>
    ffmpegFile('a.mka', [
      ...noise,
      ...toneInput(6),
      '-map',
      '0',
      '-map',
      '1',
      ...opus,
      '-disposition:a:0',
      '0',
      '-disposition:a:1',
      'default',
      ...languages,
    ]),
  ),
  toned('second-is-default-ac3.mka', 6000, () =>
    ffmpegFile('a.mka', [
      ...noise,
      ...toneInput(6),
      '-map',
      '0',
      '-map',
      '1',
      '-c:a',
      'ac3',
      '-disposition:a:0',
      '0',
      '-disposition:a:1',
      'default',
      ...languages,
    ]),
  ),
];
