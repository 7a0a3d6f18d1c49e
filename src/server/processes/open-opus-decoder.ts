import { OpusDecoder, type OpusDecoderSampleRate } from 'opus-decoder';

/** Starts a decoder (WebAssembly) of mono or stereo packets. It skips nothing: its caller leaves out the pre-skip. */
export async function openOpusDecoder<Rate extends OpusDecoderSampleRate>(
  channels: number,
  sampleRate: Rate,
): Promise<OpusDecoder<Rate>> {
  const isStereo = channels > 1;
  const decoder = new OpusDecoder({
    sampleRate,
    channels: isStereo ? 2 : 1,
    streamCount: 1,
    coupledStreamCount: isStereo ? 1 : 0,
    channelMappingTable: isStereo ? [0, 1] : [0],
    preSkip: 0,
  });
  await decoder.ready;
  return decoder;
}
