import { describe, expect, it } from 'vitest';
import { LiveConnection } from './live-connection.ts';

/** A server whose streams the test writes, and pauses that the test ends. */
function setUp() {
  const opened: {
    signal: AbortSignal;
    write: (text: string) => void;
    end: () => void;
    breakOff: () => void;
  }[] = [];
  const pauses: { failures: number; end: () => void }[] = [];
  const received: string[] = [];
  let answer: 'stream' | 'refuse' | 'offline' = 'stream';
  const connection = new LiveConnection({
    open: async (signal) => {
      if (answer === 'offline') throw new TypeError('Failed to fetch');
      if (answer === 'refuse') return new Response(null, { status: 503 });
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const encoder = new TextEncoder();
      opened.push({
        signal,
        write: (text) => void writer.write(encoder.encode(text)).catch(() => undefined),
        end: () => void writer.close().catch(() => undefined),
        breakOff: () => void writer.abort(new TypeError('network error')).catch(() => undefined),
      });
      return new Response(readable);
    },
    onData: (data) => received.push(data),
    pause: (failures, signal) =>
      new Promise((resolve) => {
        pauses.push({ failures, end: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
  });
  return {
    connection,
    opened,
    pauses,
    received,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
  };
}

describe('a live connection', () => {
  it('delivers each event whole, however its bytes were split', async () => {
    const { connection, opened, received } = setUp();
    connection.setUser('ann');
    await expect.poll(() => opened.length).toBe(1);
    opened[0]?.write('data: {"type":"he');
    opened[0]?.write('llo"}\n');
    opened[0]?.write('\n: keep-alive\n\ndata: ü\n\n');
    await expect.poll(() => received).toEqual(['{"type":"hello"}', 'ü']);
    connection.setUser(null);
  });

  it('reconnects after the stream ended or broke off, and restarts its backoff', async () => {
    const { connection, opened, pauses } = setUp();
    connection.setUser('ann');
    await expect.poll(() => opened.length).toBe(1);
    opened[0]?.end();
    await expect.poll(() => pauses.length).toBe(1);
    pauses[0]?.end();
    await expect.poll(() => opened.length).toBe(2);
    opened[1]?.breakOff();
    await expect.poll(() => pauses.map((pause) => pause.failures)).toEqual([0, 0]);
    connection.setUser(null);
  });

  it('waits longer after each failed attempt in a row', async () => {
    const { connection, pauses, answerWith } = setUp();
    answerWith('offline');
    connection.setUser('ann');
    await expect.poll(() => pauses.length).toBe(1);
    answerWith('refuse');
    pauses[0]?.end();
    await expect.poll(() => pauses.map((pause) => pause.failures)).toEqual([1, 2]);
    expect(connection.status.getSnapshot()).toBe('waiting');
    connection.setUser(null);
  });

  it('closes at once without a user, and does not reconnect', async () => {
    const { connection, opened, pauses } = setUp();
    connection.setUser('ann');
    await expect.poll(() => connection.status.getSnapshot()).toBe('open');
    connection.setUser(null);
    expect(opened[0]?.signal.aborted).toBe(true);
    expect(connection.status.getSnapshot()).toBe('off');
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(opened).toHaveLength(1);
    expect(pauses).toHaveLength(0);
    connection.setUser('ann');
    await expect.poll(() => opened.length).toBe(2);
    connection.setUser(null);
  });

  it('reconnects for another user and drops later events of the first', async () => {
    const { connection, opened, received } = setUp();
    connection.setUser('ann');
    await expect.poll(() => connection.status.getSnapshot()).toBe('open');
    connection.setUser('bob');
    expect(opened[0]?.signal.aborted).toBe(true);
    await expect.poll(() => opened.length).toBe(2);
    opened[0]?.write('data: of Ann\n\n');
    opened[1]?.write('data: of Bob\n\n');
    await expect.poll(() => received).toEqual(['of Bob']);
    connection.setUser(null);
  });

  it('is opened once for the same user', async () => {
    const { connection, opened } = setUp();
    connection.setUser('ann');
    connection.setUser('ann');
    await expect.poll(() => connection.status.getSnapshot()).toBe('open');
    expect(opened).toHaveLength(1);
    connection.setUser(null);
  });
});
