import { expect, it, vi } from 'vitest';
import {
  createVerifyLead,
  type LeadToVerify,
  type VerificationFields,
  type VerificationStore,
} from './verify-lead.ts';

const fields = {
  zip_code: '10001',
  ip_address: '203.0.113.7',
  user_agent: 'Browser',
  trusted_form_cert_id: 'cert',
  leadid_token: 'token',
  email: 'ana@mail.example',
};
const lead = { id: 'lead', revision: 2, fields };

/** A store that has these pages of unverified leads. */
function pages(...all: (readonly LeadToVerify[])[]) {
  const left = [...all];
  return vi.fn<VerificationStore['findUnverified']>(async () =>
    (left.shift() ?? []).map((each) => ({ ...each, createdAt: '' })),
  );
}

function verifying(store: Partial<VerificationStore> = {}, mayBeAsked = () => true) {
  const ask = vi.fn(async (_: VerificationFields) => ({
    outcome: 'answered' as const,
    said: { status: 'ok' },
    durationMs: 3,
  }));
  const save = vi.fn<VerificationStore['save']>(async () => undefined);
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

it('asks with five fields when it is started, and keeps the answer with the revision', async () => {
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

it.each([{ zip_code: '' }, { zip_code: 'none' }, { ip_address: '' }, { zip_code: 7 }])(
  'a lead with %o is not asked about',
  (changed) => {
    expect(
      verifying().verify.prepare({ ...lead, fields: { ...fields, ...changed } }),
    ).toBeUndefined();
  },
);

it('of somebody who may not be told of nothing is', async () => {
  const { verify, ask } = verifying({ mayBeTold: async () => false });
  verify.prepare(lead)?.();
  await verify.drain();
  expect(ask).not.toHaveBeenCalled();
});

it('a service that is left alone costs a lead nothing', async () => {
  const findUnverified = pages([lead]);
  const { verify } = verifying({ findUnverified }, () => false);
  expect(verify.prepare(lead)).toBeUndefined();
  await verify.catchUp();
  expect(findUnverified).not.toHaveBeenCalled();
});

it('a store that is away is reported, and stops nobody', async () => {
  const { verify, onError } = verifying({ save: () => Promise.reject(new Error('away')) });
  verify.prepare(lead)?.();
  await verify.drain();
  expect(onError).toHaveBeenCalledTimes(1);
});

it('two hundred are under way at most; what is left is caught up with', async () => {
  let free: (() => void) | undefined;
  const open = new Promise<void>((resolve) => {
    free = resolve;
  });
  const findUnverified = pages([lead]);
  const { verify, ask } = verifying({ mayBeTold: () => open.then(() => true), findUnverified });
  for (let i = 0; i < 250; i += 1) verify.prepare(lead)?.();
  free?.();
  await verify.drain();
  expect(ask).toHaveBeenCalledTimes(200);
  await verify.catchUp();
  await verify.drain();
  expect(ask).toHaveBeenCalledTimes(201);
  // Younger ones may be under way in another process.
  expect(findUnverified.mock.calls.map(([olderThanMs]) => olderThanMs)).toEqual([11_000, 11_000]);
});

it('everything that was left is caught up with, page by page, and no more at once than else', async () => {
  const numbered = Array.from({ length: 500 }, (_, n) => ({ ...lead, id: `lead-${n}` }));
  const findUnverified = pages(numbered.slice(0, 300), numbered.slice(300));
  let underWay = 0;
  let most = 0;
  const mayBeTold = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return true;
  };
  const { verify, save } = verifying({ findUnverified, mayBeTold });
  await verify.catchUp();
  await verify.drain();
  expect(new Set(save.mock.calls.map(([{ leadId }]) => leadId)).size).toBe(500);
  expect(most).toBeLessThanOrEqual(200);
  expect(findUnverified.mock.calls[1]?.[1]).toMatchObject({ id: 'lead-299' });
});

it('catching up ends when the process stops', async () => {
  const findUnverified = pages([lead], [lead], [lead]);
  const stopping = new AbortController();
  const mayBeTold = async () => {
    stopping.abort();
    return true;
  };
  const { verify } = verifying({ findUnverified, mayBeTold });
  await verify.catchUp(stopping.signal);
  expect(findUnverified).toHaveBeenCalledOnce();
});
