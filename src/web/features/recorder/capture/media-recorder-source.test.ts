import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseRecorderFormat, runRecorder, type MediaRecorderSource } from './media-recorder-source.ts';

describe('the format of the browser’s own recorder', () => {
  const choose = (...supported: string[]) => chooseRecorderFormat((mimeType) => supported.includes(mimeType));

  it('is Opus wherever Opus can be had', () => {
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

  it('is MP4 of any kind where there is no Opus, and nothing where there is no recorder', () => {
    expect(choose('audio/mp4', 'video/webm')).toEqual({ mimeType: 'audio/mp4', container: 'mp4' });
    expect(choose('video/webm')).toBeNull();
    expect(chooseRecorderFormat(undefined)).toBeNull();
  });
});

/** Node has no MediaRecorder: this one does what the test says, with the events of the specification. */
class ScriptedRecorder extends EventTarget {
  state: RecordingState = 'inactive';
  readonly asked: string[] = [];
  start = (timesliceMs?: number): void => {
    this.state = 'recording';
    this.asked.push(`start ${timesliceMs}`);
  };
  stop = (): void => {
    this.state = 'inactive';
    this.asked.push('stop');
  };
  pause = (): void => {
    this.state = 'paused';
    this.asked.push('pause');
  };
  resume = (): void => {
    this.state = 'recording';
    this.asked.push('resume');
  };
  requestData = (): void => {
    this.asked.push('requestData');
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

describe('the browser’s own recorder', () => {
  let recorder: ScriptedRecorder;
  let source: MediaRecorderSource;
  let chunks: [string, boolean][];
  let troubles: number;

  beforeEach(() => {
    vi.useFakeTimers();
    recorder = new ScriptedRecorder();
    chunks = [];
    troubles = 0;
    source = runRecorder(recorder, 'webm', {
      quality: 'speech',
      nowMs: () => Date.now(),
      onChunk: (bytes, isLast) => {
        chunks.push([new TextDecoder().decode(bytes), isLast]);
      },
      onError: () => {
        troubles += 1;
      },
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is asked for a piece every quarter of a second', () => {
    expect(recorder.asked).toEqual(['start 250']);
  });

  it('passes pieces on in the order they were written, however long each takes to be read', async () => {
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

  it('ends with a last piece after all others, and only then has stopped', async () => {
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
    expect(troubles).toBe(0);
  });

  it('does not hold up Stop when it never answers', async () => {
    const stopped = source.stop();
    await vi.advanceTimersByTimeAsync(1000);
    await stopped;
    expect(chunks).toEqual([['', true]]);
  });

  it('is asked for data after two silent seconds, and is in trouble after four, once', async () => {
    await vi.advanceTimersByTimeAsync(1900);
    expect(recorder.asked).not.toContain('requestData');
    await vi.advanceTimersByTimeAsync(600);
    expect(recorder.asked.filter((each) => each === 'requestData')).toHaveLength(1);
    expect(troubles).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(troubles).toBe(1);
  });

  it('is in no trouble while pieces come', async () => {
    for (let piece = 0; piece < 40; piece++) {
      await vi.advanceTimersByTimeAsync(300);
      recorder.give('x');
    }
    expect(troubles).toBe(0);
    expect(recorder.asked).toEqual(['start 250']);
  });

  it('gives what it holds before a pause, and owes nothing while paused', async () => {
    source.pause();
    expect(recorder.asked.slice(1)).toEqual(['requestData', 'pause']);
    await vi.advanceTimersByTimeAsync(60_000);
    source.resume();
    await vi.advanceTimersByTimeAsync(1000);
    expect(troubles).toBe(0);
  });

  it('ends its file also after trouble, and only once', async () => {
    await vi.advanceTimersByTimeAsync(5000);
    const stopped = source.stop();
    recorder.dispatchEvent(new Event('stop'));
    await Promise.all([stopped, source.stop()]);
    expect(recorder.asked).toContain('stop');
    expect(chunks).toEqual([['', true]]);
    expect(troubles).toBe(1);
  });

  it('tells when it ends without being asked, as when the microphone is taken away', () => {
    recorder.dispatchEvent(new Event('stop'));
    recorder.dispatchEvent(new Event('error'));
    expect(troubles).toBe(1);
  });
});
