/** An authenticator in software, which creates and uses a passkey (WebAuthn, ES256). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Site = { readonly origin: string; readonly rpId: string };

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

/** Creates an authenticator with one key. `site` is the origin that the browser reports. */
export function createAuthenticator(site: Site) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  // A public key in the COSE format: type EC2, algorithm ES256, curve P-256.
  const key = Buffer.concat([
    ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')],
    ...[Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')],
  ]);
  let counter = 0;

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags: number, rest: Buffer = Buffer.alloc(0)) => {
    counter += 1;
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(site.rpId), head, rest]);
  };
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const };

  return {
    /** Creates a passkey, and returns the browser's response to the server's registration options. */
    create({ challenge }: { readonly challenge: string }) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = authenticatorData(
        USER_PRESENT_AND_VERIFIED | HAS_CREDENTIAL,
        Buffer.concat([Buffer.alloc(16), length, id, key]),
      );
      const attestation = Buffer.concat([
        // The beginning of the CBOR object { fmt: 'none', attStmt: {}, authData: … }.
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        ...[Buffer.from([data.length]), data],
      ]);
      return {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, site.origin)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      };
    },
    /** Signs the challenge, and returns the browser's response to the server's sign-in options. */
    get({ challenge }: { readonly challenge: string }, origin = site.origin) {
      const data = authenticatorData(USER_PRESENT_AND_VERIFIED);
      const client = clientData('webauthn.get', challenge, origin);
      return {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        },
      };
    },
  };
}
