import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A mail as received. */
export interface ReceivedMail {
  to: string;
  from: string;
  subject: string;
  text: string;
  raw: string;
}

const decodeQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function decodeHeader(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64')
        : decodeQuotedPrintable(text.replaceAll('_', ' '))
      ).toString('utf8'),
    );
}

function parse(raw: string, envelope: { from: string; to: string }): ReceivedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? '';
  const encoding = header('Content-Transfer-Encoding').toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuotedPrintable(body)
        : Buffer.from(body, 'latin1');
  return {
    ...envelope,
    subject: decodeHeader(header('Subject')),
    text: bytes.toString('utf8').replaceAll('\r\n', '\n'),
    raw,
  };
}

/** An SMTP server (RFC 5321) that delivers no mail and stores all of it. */
export class SmtpSink {
  readonly mails: ReceivedMail[] = [];
  /** While set, every message is rejected temporarily. */
  isFull = false;
  readonly #server: Server;
  readonly #waiting: (() => void)[] = [];

  private constructor() {
    this.#server = createServer((socket) => {
      this.#serve(socket);
    });
  }

  /** Starts one on a free local port, until the test ends. */
  static async start(): Promise<SmtpSink> {
    const sink = await SmtpSink.open();
    onTestFinished(() => sink.close());
    return sink;
  }

  /** Starts one on a free local port. */
  static async open(): Promise<SmtpSink> {
    const sink = new SmtpSink();
    await new Promise<void>((resolve) => {
      sink.#server.listen(0, '127.0.0.1', resolve);
    });
    return sink;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `smtp://127.0.0.1:${address.port}`;
  }

  /** Mails to one address, oldest first. */
  to(address: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to === address);
  }

  /** Waits until `count` mails have arrived. */
  async arrived(count: number): Promise<ReceivedMail[]> {
    while (this.mails.length < count)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    return this.mails;
  }

  #serve(socket: Socket): void {
    let [buffer, inData, envelope] = ['', false, { from: '', to: '' }];
    const say = (line: string): void => {
      socket.write(`${line}\r\n`);
    };
    const command = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase();
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (verb === 'MAIL') envelope = { from: address, to: '' };
      if (verb === 'RCPT') envelope.to = address;
      if (verb === 'DATA') {
        inData = true;
        return say('354 continue');
      }
      if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
        return;
      }
      say('250 sink');
    };
    const finish = (raw: string): void => {
      inData = false;
      if (this.isFull) return say('452 4.3.1 no room');
      this.mails.push(parse(raw.replaceAll('\r\n..', '\r\n.'), envelope));
      say('250 kept');
      for (const wake of this.#waiting.splice(0)) wake();
    };
    say('220 sink');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1');
      for (;;) {
        const mark = inData ? '\r\n.\r\n' : '\r\n';
        const at = buffer.indexOf(mark);
        if (at === -1) return;
        const piece = buffer.slice(0, at);
        buffer = buffer.slice(at + mark.length);
        if (inData) finish(piece);
        else command(piece);
      }
    });
  }
}
