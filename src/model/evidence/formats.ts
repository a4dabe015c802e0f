/** Schemas of the files in an evidence pack (docs/evidence.md). */
import * as v from 'valibot';
import { type Bytes, fromBase64url, parseCanonical, Refusal } from './encoding.ts';

const time = v.pipe(
  v.string(),
  v.check((text) => {
    const at = new Date(text);
    return !Number.isNaN(at.getTime()) && at.toISOString() === text;
  }, 'not a time'),
);
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const uuid = v.pipe(v.string(), v.uuid());
const base64url = (length: number) =>
  v.pipe(
    v.string(),
    v.check((text) => {
      try {
        return fromBase64url(text).length === length;
      } catch {
        return false;
      }
    }, 'not base64url'),
  );

const tree = { origin: v.string(), treeSize: v.pipe(whole, v.minValue(1)), rootHash: hash };

export const manifestForm = v.strictObject({
  format: v.literal('evidence-pack/1'),
  leadId: uuid,
  revision: whole,
  madeAt: time,
  leadReceivedAt: time,
  revisionReceivedAt: time,
  issuer: v.string(),
  recipient: v.nullable(v.string()),
  log: v.strictObject(tree),
  files: v.array(v.strictObject({ path: v.string(), bytes: whole, sha256: hash })),
});
export type Manifest = v.InferOutput<typeof manifestForm>;

export const headForm = v.strictObject({ ...tree, at: time });
export type TreeHead = v.InferOutput<typeof headForm>;

const keyForm = v.strictObject({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  x: base64url(32),
  kid: base64url(32),
  use: v.literal('sig'),
  alg: v.literal('EdDSA'),
  validFrom: time,
  validUntil: v.nullable(time),
});
export const keysForm = v.strictObject({ keys: v.array(keyForm) });
export type PublicKeys = v.InferOutput<typeof keysForm>;
export type PublicKey = PublicKeys['keys'][number];
export type KeysById = ReadonlyMap<string, PublicKey>;

export const proofsForm = v.strictObject({
  entries: v.array(
    v.strictObject({ index: whole, file: v.string(), salt: base64url(32), path: v.array(hash) }),
  ),
});

export const consistencyForm = v.strictObject({ from: whole, to: whole, path: v.array(hash) });
export type ConsistencyProof = v.InferOutput<typeof consistencyForm>;

const logged = { leadId: uuid, revision: whole };
const revisionForm = v.looseObject({
  ...logged,
  kind: v.literal('revision'),
  receivedAt: time,
  fields: v.record(v.string(), v.unknown()),
  rulesVersion: v.string(),
});
const consentForm = v.looseObject({
  ...logged,
  kind: v.literal('consent'),
  text: v.string(),
  textSha256: hash,
  shownAt: v.nullable(time),
  givenAt: v.nullable(time),
});
const deliveryForm = v.looseObject({
  ...logged,
  kind: v.literal('delivery'),
  destination: v.string(),
  startedAt: time,
  endedAt: v.nullable(time),
});
export const loggedForm = v.variant('kind', [revisionForm, consentForm, deliveryForm]);
export type Logged = v.InferOutput<typeof loggedForm>;

export const leadForm = v.looseObject({ ...logged, fields: v.record(v.string(), v.unknown()) });
/** Schema of the list of law firms on the partners page. */
export const partnersForm = v.union([
  v.looseObject({ firms: v.null() }),
  v.looseObject({ firms: v.array(v.unknown()), files: v.string(), settings: v.string() }),
]);
export const objectForm = v.record(v.string(), v.unknown());

/** Validates a value. @throws Refusal that names the invalid member */
export function read<Form extends v.GenericSchema>(
  form: Form,
  value: unknown,
): v.InferOutput<Form> {
  const result = v.safeParse(form, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Refusal(`${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`);
}

/** Parses a file of canonical JSON. @throws Refusal if the file is invalid */
export function readFile<Form extends v.GenericSchema>(
  form: Form,
  bytes: Bytes | undefined,
): v.InferOutput<Form> {
  if (bytes === undefined) throw new Refusal('missing');
  return read(form, parseCanonical(bytes));
}

/** The ids of the checks, in the order of the report. */
export const checkIds = [
  'container',
  'files',
  'signature',
  'signer',
  'log',
  'record',
  'times',
  'history',
] as const;
export type CheckId = (typeof checkIds)[number];

export type Check = {
  readonly id: CheckId;
  readonly outcome: 'passed' | 'failed' | 'not-checked';
  /** The problems that the check found, in technical English. */
  readonly details: readonly string[];
};

/** The inputs of a person who verifies a pack. */
export type ReaderInput = {
  /** The issuer's public keys from a trusted source. */
  readonly trusted?: { readonly keys: PublicKeys; readonly from: string } | undefined;
  /** Signed tree heads of the log from an earlier time, for the check `history`. */
  readonly heads?: readonly Bytes[];
  readonly consistency?: readonly ConsistencyProof[];
  readonly now: Date;
};

/** The contents of a pack. Without the verdict `proven`, the contents may be false. */
export type Facts = {
  readonly manifest?: Manifest;
  readonly head?: TreeHead;
  readonly logged: readonly Logged[];
  readonly kid?: string;
  readonly keysFrom?: string;
};

export type Report = {
  /** `unconfirmed` means that no check failed, but at least one check was skipped. */
  readonly verdict: 'proven' | 'unconfirmed' | 'failed';
  readonly checks: readonly Check[];
  readonly facts: Facts;
};

/** The result of a check: a list of problems, or the reason for skipping the check. */
export type CheckResult = readonly string[] | { readonly notChecked: string };
