import { useEffect, useRef, useState } from 'react';
import { titleText } from '#web/recordings/time/title-text.ts';
import { fileNameOf, saveFile } from '#web/ui/dom/save-file.ts';
import type { SoundSelection } from '#playback/playback-state.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import type { ConversionTarget } from './download-links.ts';

export interface ConversionState {
  /** 0 to 1 during a conversion, otherwise null. */
  progress: number | null;
  hasFailed: boolean;
  start: (format: ConversionTarget, part: SoundSelection | null) => void;
  cancel: () => void;
}

/** Converts a recording on this device, saves the file and calls `onSaved`. Unmounting aborts the conversion. */
export function useConversion(
  recording: Pick<PlayableRecording, 'audioFile' | 'audioUrl' | 'title' | 'recordedTime'>,
  onSaved: () => void,
): ConversionState {
  const [progress, setProgress] = useState<number | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const convert = async (
    format: ConversionTarget,
    part: SoundSelection | null,
    signal: AbortSignal,
  ): Promise<void> => {
    const { convertOnDevice } = await import('./convert-on-device.ts');
    const file = await convertOnDevice(recording.audioFile ?? recording.audioUrl, {
      format,
      part,
      signal,
      onProgress: setProgress,
    });
    saveFile(file, fileNameOf(titleText(recording), format));
    onSaved();
  };
  return {
    progress,
    hasFailed,
    start(format, part) {
      const controller = new AbortController();
      running.current = controller;
      setFailed(false);
      setProgress(0);
      convert(format, part, controller.signal)
        .catch(() => {
          if (!controller.signal.aborted) setFailed(true);
        })
        .finally(() => {
          if (running.current === controller) setProgress(null);
        });
    },
    cancel: () => running.current?.abort(),
  };
}
