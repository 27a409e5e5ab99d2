import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** CBOR (RFC 8949) of the few kinds of values that an authenticator writes. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, of]) => [cbor(key), cbor(of as never)])]);
}

interface Options {
  challenge: string;
}

/** An authenticator with one passkey on P-256, as WebAuthn describes it. */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #uses = 0;
  /** What it says about the person: seen (1) and verified (4). */
  flags = 5;

  constructor(
    readonly host = 'localhost',
    readonly origin = `http://${host}:3000`,
  ) {}

  /** The answer of `navigator.credentials.create`. */
  create({ challenge }: Options): Record<string, unknown> {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, key]);
    const authData = this.#data(0x40, credential);
    const attestationObject = cbor(
      new Map<string, string | Buffer | Map<string, unknown>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.#answer({
      clientDataJSON: base64url(this.#client('webauthn.create', challenge)),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    });
  }

  /** The answer of `navigator.credentials.get`. */
  get({ challenge }: Options): Record<string, unknown> {
    this.#uses++;
    const client = this.#client('webauthn.get', challenge);
    const data = this.#data(0);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    });
  }

  #answer(response: object): Record<string, unknown> {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #client(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #data(flags: number, credential = Buffer.alloc(0)): Buffer {
    const uses = Buffer.alloc(4);
    uses.writeUInt32BE(this.#uses);
    return Buffer.concat([sha256(this.host), Buffer.from([this.flags | flags]), uses, credential]);
  }
}
