import { expect, it, vi } from 'vitest';
import {
  createVerifyLead,
  type LeadChecks,
  type LeadToVerify,
  type VerificationFields,
} from './lead-checks.ts';

const fields = {
  zip_code: '10001',
  ip_address: '203.0.113.7',
  user_agent: 'Browser',
  trusted_form_cert_id: 'cert',
  leadid_token: 'token',
  email: 'ana@mail.example',
};
const lead = { id: 'lead', revision: 2, fields };

/** Returns these pages of unverified leads, one after the other. */
function pages(...all: (readonly LeadToVerify[])[]) {
  const left = [...all];
  return vi.fn<LeadChecks['findUnverified']>(async () =>
    (left.shift() ?? []).map((each) => ({ ...each, createdAt: '' })),
  );
}

function verifying(store: Partial<LeadChecks> = {}, mayBeAsked = () => true) {
  const ask = vi.fn(async (_: VerificationFields) => ({
    outcome: 'answered' as const,
    said: { status: 'ok' },
    durationMs: 3,
  }));
  const save = vi.fn<LeadChecks['save']>(async () => undefined);
  const onError = vi.fn();
  const verify = createVerifyLead({
    ask,
    store: { mayBeTold: async () => true, save, findUnverified: async () => [], ...store },
    now: () => new Date(0),
    timeoutMs: 3_000,
    mayBeAsked,
    onError,
  });
  return { verify, ask, save, onError };
}

it('asks with five fields once started, and stores the answer with the revision', async () => {
  const { verify, ask, save } = verifying();
  const start = verify.prepare(lead);
  expect(ask).not.toHaveBeenCalled();
  start?.();
  await verify.drain();
  const { email: _, ...five } = fields;
  expect(ask).toHaveBeenCalledExactlyOnceWith(five);
  expect(save.mock.calls[0]?.[0]).toMatchObject({
    leadId: 'lead',
    revision: 2,
    service: 'verification',
    outcome: 'answered',
    said: { status: 'ok' },
  });
  expect(JSON.stringify(save.mock.calls)).not.toContain(fields.ip_address);
});

it('verifies no lead without a zip code or an address, and none while the circuit is open', () => {
  for (const changed of [{ zip_code: 'none' }, { ip_address: '' }]) {
    const other = { ...lead, fields: { ...fields, ...changed } };
    expect(verifying().verify.prepare(other)).toBeUndefined();
  }
  expect(verifying({}, () => false).verify.prepare(lead)).toBeUndefined();
});

it('does not verify a lead that may not be shared', async () => {
  const { verify, ask } = verifying({ mayBeTold: async () => false });
  verify.prepare(lead)?.();
  await verify.drain();
  expect(ask).not.toHaveBeenCalled();
});

it('makes at most two hundred concurrent calls and catches up with the rest', async () => {
  const { promise: open, resolve: free } = Promise.withResolvers<void>();
  const findUnverified = pages([lead]);
  const { verify, ask } = verifying({ mayBeTold: () => open.then(() => true), findUnverified });
  for (let i = 0; i < 250; i += 1) verify.prepare(lead)?.();
  free();
  await verify.drain();
  expect(ask).toHaveBeenCalledTimes(200);
  await verify.catchUp();
  await verify.drain();
  expect(ask).toHaveBeenCalledTimes(201);
  // Another process may still be verifying younger leads.
  expect(findUnverified.mock.calls.map(([olderThanMs]) => olderThanMs)).toEqual([11_000, 11_000]);
});
