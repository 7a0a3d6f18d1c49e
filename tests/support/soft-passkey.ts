import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '#contract/passkeys.ts';

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** Encodes CBOR (RFC 8949) as far as an attestation needs it: small integers, bytes, text, maps. */
type CborValue = number | string | Uint8Array | Map<number, CborValue> | Map<string, CborValue>;

function cbor(value: CborValue): Buffer {
  const head = (major: number, count: number): Buffer =>
    count < 24
      ? Buffer.from([(major << 5) | count])
      : count < 256
        ? Buffer.from([(major << 5) | 24, count])
        : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)]),
  ]);
}

/** The fields of an authenticator's response to falsify. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isUserVerified?: boolean;
  counter?: number;
  credentialId?: string;
  userHandle?: string;
}

/** A software authenticator with one passkey, which responds as a browser does. */
export class SoftPasskey {
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });
  readonly #credentialId = randomBytes(32);
  readonly #origin: string;
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get id(): string {
    return base64url(this.#credentialId);
  }

  #authenticatorData(rpId: string, flags: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }

  #clientData(type: string, challenge: string, lies: Lies): string {
    return JSON.stringify({
      type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin: false,
    });
  }

  /** Responds to `navigator.credentials.create`. */
  create(options: PasskeyCreation, lies: Lies = {}): PasskeyAttestation {
    this.#userHandle = options.user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const cose = cbor(
      new Map<number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(String(x), 'base64url')],
        [-3, Buffer.from(String(y), 'base64url')],
      ]),
    );
    const flags = 0x41 | (lies.isUserVerified === false ? 0 : 4);
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.#credentialId.length]),
      this.#credentialId,
      cose,
    ]);
    const authData = Buffer.concat([
      this.#authenticatorData(lies.rpId ?? options.rp.id ?? '', flags, 0),
      attested,
    ]);
    const attestationObject = cbor(
      new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, CborValue>()],
        ['authData', authData],
      ]),
    );
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', options.challenge, lies)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    };
  }

  /** Responds to `navigator.credentials.get`. */
  get(options: PasskeyRequest, lies: Lies = {}): PasskeyAssertion {
    this.#counter += 1;
    const authData = this.#authenticatorData(
      lies.rpId ?? options.rpId,
      1 | (lies.isUserVerified === false ? 0 : 4),
      lies.counter ?? this.#counter,
    );
    const clientData = this.#clientData('webauthn.get', options.challenge, lies);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#keys.privateKey);
    const id = lies.credentialId ?? this.id;
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle: lies.userHandle ?? this.#userHandle,
      },
    };
  }
}
