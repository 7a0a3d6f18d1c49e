import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { ApiClient, type Reply } from '#tests/support/api-client.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { cpuMsOf, residentMiB } from './process-cpu.ts';
import { closeAll, manyUsers, openTakes } from './recording-users.ts';
import { asSound } from '#tests/support/sound-bytes.ts';

const pieceBytes = Number(process.env.BENCH_PIECE_BYTES ?? 8 * 1024);
const takes = Number(process.env.BENCH_TAKES ?? 1000);
const everyMs = Number(process.env.BENCH_EVERY_MS ?? 1000);
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
/** How much longer every `fdatasync` takes on the artificially slow disk. */
const slowerByMs = 20;

interface Subject {
  name: string;
  pid: number;
  appendTo(index: number, offsetBytes: number, bytes: Uint8Array): Promise<Reply>;
}

/**
 * Every take appends its pieces at equal intervals, and the takes are spread evenly over the interval, as with
 * real recorders.
 */
async function load(subject: Subject): Promise<Row> {
  const piece = asSound(randomBytes(pieceBytes));
  const waits: number[] = [];
  let rejected = 0;
  const cpuBefore = cpuMsOf(subject.pid);
  const oneTake = async (index: number) => {
    await new Promise((resolve) => {
      setTimeout(resolve, (index / takes) * everyMs);
    });
    for (let nth = 0; nth < (seconds * 1000) / everyMs; nth += 1) {
      const sentAt = performance.now();
      const reply = await subject.appendTo(index, nth * pieceBytes, piece);
      waits.push(performance.now() - sentAt);
      if (reply.status !== 204) rejected += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, Math.max(0, everyMs - (performance.now() - sentAt)));
      });
    }
  };
  await Promise.all(Array.from({ length: takes }, (_, index) => oneTake(index)));
  const cpuMs = cpuMsOf(subject.pid) - cpuBefore;
  return {
    server: subject.name,
    takes,
    appends: waits.length,
    'not 204': rejected,
    'CPU µs per append': round((cpuMs * 1000) / waits.length, 0),
    'ack p50 ms': round(percentile(waits, 0.5), 2),
    'ack p99 ms': round(percentile(waits, 0.99), 1),
    'RSS MiB': round(residentMiB(subject.pid), 0),
  };
}

/** Delays every `fdatasync` of a process, as a slow disk does. Needs `strace`. */
function slowDown(pid: number): () => void {
  const strace = spawn(
    'strace',
    [
      '-f',
      '--seccomp-bpf',
      '-o',
      '/dev/null',
      '-e',
      'trace=fdatasync',
      '-e',
      `inject=fdatasync:delay_exit=${slowerByMs * 1000}`,
      '-p',
      String(pid),
    ],
    { stdio: 'ignore' },
  );
  strace.once('error', (error) => {
    console.warn(`The disk is not slowed down: ${error.message}`);
  });
  return () => {
    strace.kill('SIGINT');
  };
}

async function earshot(isSlow = false): Promise<Row> {
  const server = await EarshotServer.launch(manyUsers);
  const open = await openTakes(server.url, takes);
  try {
    const release = isSlow ? slowDown(server.pid ?? 0) : null;
    return await load({
      name: `Earshot (SHA-256 + fdatasync${isSlow ? ` of ${slowerByMs} ms more` : ''})`,
      pid: server.pid ?? 0,
      async appendTo(index, offsetBytes, bytes) {
        const one = open[index];
        if (!one) throw new RangeError(`no take ${index}`);
        return one.client.append({ uploadId: one.take.audioId, token: one.take.token, offsetBytes, bytes });
      },
    }).finally(() => {
      release?.();
    });
  } finally {
    closeAll(open);
    await server.dispose();
  }
}

async function tus(): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-tus-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'tus-server.ts'), String(port), directory],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise((resolve) => {
    child.stdout.once('data', resolve);
  });
  const client = new ApiClient(`http://127.0.0.1:${port}`);
  const tusHeaders = { 'tus-resumable': '1.0.0' };
  try {
    const paths: string[] = [];
    for (let index = 0; index < takes; index += 1) {
      const reply = await client.send({
        method: 'POST',
        path: '/files',
        headers: { ...tusHeaders, 'upload-length': pieceBytes * ((seconds * 1000) / everyMs + 1) },
      });
      paths.push(new URL(String(reply.headers.location), 'http://127.0.0.1').pathname);
    }
    return await load({
      name: '@tus/server + file-store (no sync, no digest)',
      pid: child.pid ?? 0,
      appendTo: (index, offsetBytes, bytes) =>
        client.send({
          method: 'PATCH',
          path: paths[index] ?? '',
          body: bytes,
          headers: {
            ...tusHeaders,
            'upload-offset': offsetBytes,
            'content-type': 'application/offset+octet-stream',
          },
        }),
    });
  } finally {
    client.close();
    child.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Measures appends of 8 kB by many concurrent takes, compared with the tus reference server on the same disk. */
export async function appendBench(): Promise<Section> {
  return {
    title: `Append of ${pieceBytes} bytes, ${takes} concurrent takes, one append every ${everyMs} ms each, ${seconds} s`,
    note: 'The load generator shares the machine; compare the rows only with each other.',
    rows: [await earshot(), await earshot(true), await tus()],
  };
}
