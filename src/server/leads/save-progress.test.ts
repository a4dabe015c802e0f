import { describe, expect, it, vi } from 'vitest';
import { noByteLimit, testNow, testVisitor } from '../../../tests/support/leads.ts';
import { type ClickRecord, createSaveProgress, type ProgressRecord } from './save-progress.ts';

const session = {
  lead_id: '01939999-1111-7111-8111-AAAAAAAAAAAA',
  survey: '/survey/v4nv',
  click_id: '0123456789abcdef0123456789abcdef',
  landing_page: 'https://claims.example.com/survey/v4nv',
  params: { s1: 'abc', n: 1 },
  referer: '',
  started_at: '2026-11-20T14:00:00Z',
};
const entry = {
  seq: 1,
  kind: 'answered',
  step: 'AtFault',
  answers: { at_Fault: 'no', hacked: 'x' },
  seconds: 4,
  at: '2026-11-20T14:00:10Z',
};

const tooManySteps = vi.fn();
const limits = { addressBytes: noByteLimit, stepsPerVisit: 500, tooManySteps, now: () => testNow };

function saving() {
  const save = vi.fn(
    async (_click: ClickRecord, entries: readonly ProgressRecord[], _secretSha256: string | null) =>
      entries.map(({ seq }) => seq),
  );
  const mayMirror = vi.fn(async () => true);
  const store = { save, mayMirror };
  return { save, mayMirror, store, saveProgress: createSaveProgress({ ...limits, store }) };
}

describe('progress', () => {
  it('drops personal parameters of the landing page from the click', async () => {
    const { save, saveProgress } = saving();
    const params = { s1: 'abc', email: 'a@b.example', firstName: 'Ann', 'zip-code': '10001' };
    await saveProgress({ session: { ...session, params }, data: [] }, testVisitor);
    expect(save.mock.calls[0]?.[0].params).toEqual({ s1: 'abc' });
  });

  it('skips invalid entries and stores the valid ones', async () => {
    const { save, saveProgress } = saving();
    const bad = [
      null,
      7,
      [],
      {},
      { ...entry, seq: 0 },
      { ...entry, seq: 1.5 },
      { ...entry, step: '' },
    ];
    const data = [
      ...bad,
      { ...entry, seq: 2 },
      { ...entry, seq: 2 },
      { seq: 3, kind: 'viewed', step: 'X', at: 'soon', seconds: -1 },
    ];
    await saveProgress({ session, data }, testVisitor);
    expect(save.mock.calls[0]?.[1].map((each) => [each.seq, each.seconds, each.at])).toEqual([
      [2, 4, '2026-11-20T14:00:10.000Z'],
      [3, null, null],
    ]);
  });

  it('keeps the known refused fields, and mirrors neither them nor errors of the page', async () => {
    const { save, store } = saving();
    const mirror = vi.fn();
    const saveProgress = createSaveProgress({ ...limits, store, mirror });
    const refused = ['phone', 'phone', 'hacked,zip_code', 7, 'zip_code'];
    const data = [
      { seq: 1, kind: 'refused', step: 'PhoneAndZip', refused },
      { ...entry, seq: 2, refused },
    ];
    await saveProgress({ session, data }, testVisitor);
    expect(save.mock.calls[0]?.[1].map((each) => each.refused)).toEqual(['phone,zip_code', null]);
    expect(mirror.mock.calls[0]?.[0].data).toEqual([
      { ...entry, seq: 2, at: expect.any(String), answers: { at_Fault: 'no' } },
    ]);
    const failed = { seq: 3, kind: 'failed', step: 'PhoneAndZip' };
    await saveProgress({ session, data: [...data.slice(0, 1), failed] }, testVisitor);
    expect(mirror).toHaveBeenCalledOnce();
  });
});

describe('the mirror of saved progress', () => {
  it('gets the written entries in the wire format, without queries and sender', async () => {
    const { save, store } = saving();
    save.mockResolvedValueOnce([2]);
    const mirror = vi.fn();
    const saveProgress = createSaveProgress({ ...limits, store, mirror });
    const visit = { ...session, landing_page: 'https://x.example/a?email=a%40b.c', referer: 'no' };
    const second = { ...entry, seq: 2 };
    await saveProgress({ session: visit, data: [{ ...entry, seq: 1 }, second] }, testVisitor);
    const { lead_id, survey } = session;
    expect(mirror).toHaveBeenCalledExactlyOnceWith({
      session: expect.objectContaining({
        lead_id: lead_id.toLowerCase(),
        survey,
        landing_page: 'https://x.example/a',
        referer: '',
      }),
      data: [{ ...second, answers: { at_Fault: 'no' }, at: expect.stringMatching(/^2026-11-20T/) }],
    });
    expect(JSON.stringify(mirror.mock.calls)).not.toContain(testVisitor.address);
  });

  it('gets nothing of a visitor who opts out or is on the suppression list', async () => {
    const { store, mayMirror, save } = saving();
    mayMirror.mockResolvedValueOnce(false);
    const mirror = vi.fn();
    const answer = await createSaveProgress({ ...limits, store, mirror })(
      { session, data: [entry] },
      testVisitor,
    );
    expect(answer).toEqual({ userBackupStatus: true, userProgressionStatus: true });
    expect(save).toHaveBeenCalledOnce();
    expect(mirror).not.toHaveBeenCalled();
  });
});
