import { describe, expect, test, vi } from 'vitest';
import { v4 } from '../../flows/variants/v4.ts';
import { pageData, today } from '../test-support/survey-fixture.ts';
import { isPrefilled, prefillDrafts } from './prefill.ts';
import { initialState, reduce } from './runner-state.ts';
import { walkContext } from './walk-context.ts';

describe('the check', () => {
  const answering = (status: number, body: string) =>
    vi.fn<typeof fetch>(async () => new Response(body, { status }));

  test('asks our own server for the affiliate, and hands on no detail', async () => {
    const fetcher = answering(200, '{"result":"yes"}');
    expect(await isPrefilled('252', fetcher)).toBe(true);
    expect(fetcher.mock.calls.map(([url]) => url)).toEqual(['/api/prefill?affid=252']);
  });

  test.each([
    [200, '{"result":"no"}'],
    [200, 'oops'],
    [429, '{"reason":"too_many_requests"}'],
  ])('%i %s is a no', async (status, body) => {
    expect(await isPrefilled('1', answering(status, body))).toBe(false);
  });

  test('a failure is a no', async () => {
    const fetcher = vi.fn<typeof fetch>(async () => Promise.reject(new TypeError('offline')));
    expect(await isPrefilled('1', fetcher)).toBe(false);
  });
});

describe('the drafts', () => {
  const details = { first_name: 'Ann', email: 'a@b.example', phone: '+1 212-555-0100' };
  const drafts = prefillDrafts(v4, details);

  test('stand at every step that asks for them', () => {
    expect(drafts.NameAndEmail).toEqual({ first_name: 'Ann', email: 'a@b.example' });
    expect(drafts.PhoneAndZip).toEqual({ phone: details.phone });
    expect(drafts.AllPii).toEqual({ ...drafts.NameAndEmail, ...drafts.PhoneAndZip });
    expect(Object.keys(drafts)).toHaveLength(3);
    expect(prefillDrafts(v4, {})).toEqual({});
  });

  test('answer nothing, skip no step, and give way to what was typed or given', () => {
    const context = walkContext(pageData(), today);
    const start = {
      ...initialState(v4),
      given: { NameAndEmail: { first_name: 'Bea' } },
      drafts: { AllPii: { email: '' } },
    };
    const state = reduce(v4, context, start, { type: 'prefilled', drafts });
    expect(state).toMatchObject({ at: start.at, screen: start.screen, given: start.given });
    expect(state.drafts.NameAndEmail).toEqual({ first_name: 'Bea', email: 'a@b.example' });
    expect(state.drafts.AllPii).toMatchObject({ first_name: 'Ann', email: '' });
    const sending = { ...start, phase: 'sending' as const };
    expect(reduce(v4, context, sending, { type: 'prefilled', drafts })).toBe(sending);
  });
});
