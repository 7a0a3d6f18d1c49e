import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseRecorderFormat, runRecorder, type MediaRecorderSource } from './media-recorder-source.ts';

describe('the format for MediaRecorder', () => {
  const choose = (...supported: string[]) => chooseRecorderFormat((mimeType) => supported.includes(mimeType));

  it('is Opus if any container supports it', () => {
    expect(choose('audio/mp4', 'audio/webm;codecs=opus')).toEqual({
      mimeType: 'audio/webm;codecs=opus',
      container: 'webm',
    });
    expect(choose('audio/mp4', 'audio/ogg;codecs=opus')).toEqual({
      mimeType: 'audio/ogg;codecs=opus',
      container: 'ogg',
    });
    expect(choose('audio/mp4', 'audio/mp4;codecs=opus')).toEqual({
      mimeType: 'audio/mp4;codecs=opus',
      container: 'mp4',
    });
  });

  it('is plain MP4 without Opus, and null if neither is supported', () => {
    expect(choose('audio/mp4', 'video/webm')).toEqual({ mimeType: 'audio/mp4', container: 'mp4' });
    expect(choose('video/webm')).toBeNull();
    expect(chooseRecorderFormat(undefined)).toBeNull();
  });
});

/**
 * Node has no MediaRecorder. This one is controlled by the test and dispatches the events of the specification.
 */
class ScriptedRecorder extends EventTarget {
  state: RecordingState = 'inactive';
  readonly calls: string[] = [];
  start = (timesliceMs?: number): void => {
    this.state = 'recording';
    this.calls.push(`start ${timesliceMs}`);
  };
  stop = (): void => {
    this.state = 'inactive';
    this.calls.push('stop');
  };
  pause = (): void => {
    this.state = 'paused';
    this.calls.push('pause');
  };
  resume = (): void => {
    this.state = 'recording';
    this.calls.push('resume');
  };
  requestData = (): void => {
    this.calls.push('requestData');
  };

  give(text: string, delivery: Promise<unknown> = Promise.resolve()): void {
    const data = new Blob([text]);
    const bytes = data.arrayBuffer();
    data.arrayBuffer = async () => {
      await delivery;
      return bytes;
    };
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data }));
  }
}

describe('a MediaRecorder source', () => {
  let recorder: ScriptedRecorder;
  let source: MediaRecorderSource;
  let chunks: [string, boolean][];
  let errors: number;

  beforeEach(() => {
    vi.useFakeTimers();
    recorder = new ScriptedRecorder();
    chunks = [];
    errors = 0;
    source = runRecorder(recorder, 'webm', {
      quality: 'speech',
      nowMs: () => Date.now(),
      onChunk: (bytes, isLast) => {
        chunks.push([new TextDecoder().decode(bytes), isLast]);
      },
      onError: () => {
        errors += 1;
      },
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('requests a chunk every 250 ms', () => {
    expect(recorder.calls).toEqual(['start 250']);
  });

  it('passes chunks on in order, however long each takes to read', async () => {
    const slow = Promise.withResolvers<undefined>();
    recorder.give('one', slow.promise);
    recorder.give('two');
    slow.resolve(undefined);
    await vi.waitFor(() => {
      expect(chunks).toEqual([
        ['one', false],
        ['two', false],
      ]);
    });
  });

  it('stops after a last chunk that follows all others', async () => {
    recorder.give('one');
    const stopped = source.stop();
    recorder.give('two');
    recorder.dispatchEvent(new Event('stop'));
    await stopped;
    expect(chunks).toEqual([
      ['one', false],
      ['two', false],
      ['', true],
    ]);
    expect(errors).toBe(0);
  });

  it('stops after a second if the recorder never responds', async () => {
    const stopped = source.stop();
    await vi.advanceTimersByTimeAsync(1000);
    await stopped;
    expect(chunks).toEqual([['', true]]);
  });

  it('requests data after two seconds without a chunk, and reports one error after four', async () => {
    await vi.advanceTimersByTimeAsync(1900);
    expect(recorder.calls).not.toContain('requestData');
    await vi.advanceTimersByTimeAsync(600);
    expect(recorder.calls.filter((each) => each === 'requestData')).toHaveLength(1);
    expect(errors).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(errors).toBe(1);
  });

  it('reports an error although empty chunks arrive, because they have no sound', async () => {
    for (let piece = 0; piece < 20; piece++) {
      await vi.advanceTimersByTimeAsync(250);
      recorder.give('');
    }
    expect(errors).toBe(1);
    expect(recorder.calls).toContain('requestData');
  });

  it('reports no error while chunks arrive', async () => {
    for (let piece = 0; piece < 40; piece++) {
      await vi.advanceTimersByTimeAsync(300);
      recorder.give('x');
    }
    expect(errors).toBe(0);
    expect(recorder.calls).toEqual(['start 250']);
  });

  it('flushes its buffer before a pause, and is not expected to deliver while paused', async () => {
    source.pause();
    expect(recorder.calls.slice(1)).toEqual(['requestData', 'pause']);
    await vi.advanceTimersByTimeAsync(60_000);
    source.resume();
    await vi.advanceTimersByTimeAsync(1000);
    expect(errors).toBe(0);
  });

  it('ends its file once, even after an error', async () => {
    await vi.advanceTimersByTimeAsync(5000);
    const stopped = source.stop();
    recorder.dispatchEvent(new Event('stop'));
    await Promise.all([stopped, source.stop()]);
    expect(recorder.calls).toContain('stop');
    expect(chunks).toEqual([['', true]]);
    expect(errors).toBe(1);
  });

  it('reports one error when it stops on its own, as after the microphone is disconnected', () => {
    recorder.dispatchEvent(new Event('stop'));
    recorder.dispatchEvent(new Event('error'));
    expect(errors).toBe(1);
  });
});
