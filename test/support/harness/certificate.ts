import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate and its key, in the form of `tls.createServer`. */
export interface Certificate {
  cert: string;
  key: string;
}

interface CertificateOptions {
  /** The host of the certificate; 127.0.0.1 is written as an address, any other host as a name. */
  host?: string;
  /** Whether it has expired. */
  expired?: boolean;
}

/** Creates a certificate for a server on loopback, byte by byte: Node.js can only read certificates. */
export function newCertificate({ host = '127.0.0.1', expired = false }: CertificateOptions = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const year = expired ? 2001 : 2020;
  const name = sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(`test ${host}`)))));
  const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const subject = host === '127.0.0.1' ? der(0x87, Buffer.from([127, 0, 0, 1])) : der(0x82, Buffer.from(host));
  const isAuthority = sequence(oid(2, 5, 29, 19), der(0x04, sequence(der(0x01, Buffer.from([0xff])))));
  const isFor = sequence(oid(2, 5, 29, 17), der(0x04, sequence(subject)));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(year), time(year + (expired ? 1 : 100))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority, isFor)),
  );
  const signature = sign('sha256', content, privateKey);
  const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(first: number, second: number, ...rest: number[]): Buffer {
  const bytes = [first * 40 + second];
  for (const n of rest) {
    const septets = [n & 0x7f];
    for (let left = n >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80);
    bytes.push(...septets);
  }
  return der(0x06, Buffer.from(bytes));
}

/** The first of January. */
function time(year: number): Buffer {
  return der(0x18, Buffer.from(`${year}0101000000Z`));
}
