import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields, mergeBodies } from './merge-bodies.ts';

const body = fc.dictionary(
  fc.constantFrom('email', 'phone', 'sub_id', 'zip_code'),
  fc.constantFrom('', 'a', 'b', null),
);

describe('mergeBodies', () => {
  it('prefers later values, but not empty ones', () => {
    expect(
      mergeBodies([
        { email: 'a@x.com', phone: '1', zip_code: '' },
        { email: '', phone: '2', zip_code: '33101', gclid: null },
      ]),
    ).toEqual({ email: 'a@x.com', phone: '2', zip_code: '33101', gclid: null });
  });

  it('drops earlier answers for a body that answers the whole survey', () => {
    const first = { phone: '1', selected_buyers: '7', gclid: 'g', sub_id: 's' };
    const second = { phone: '2', gclid: '', whole: true };
    const isWhole = (body: Readonly<Record<string, unknown>>) => body.whole === true;
    expect(mergeBodies([first, second], isWhole)).toEqual({
      phone: '2',
      gclid: 'g',
      sub_id: 's',
      whole: true,
    });
  });

  it('keeps the consent fields if a later body has no consent text', () => {
    const first = { tcpa: 'I agree.', consent_version: '1', submitted_at: 'then' };
    const without = {
      tcpa: '',
      consent_version: '2',
      consent_shown_at: 'now',
      submitted_at: 'now',
    };
    expect(mergeBodies([first, without])).toEqual(first);
    const anew = { ...without, tcpa: 'I agree anew.' };
    expect(mergeBodies([first, anew])).toEqual(anew);
    expect(mergeBodies([without, { consent_version: '3' }])).toEqual({
      ...without,
      consent_version: '3',
    });
  });

  it('keeps the last non-empty value of every field', () => {
    fc.assert(
      fc.property(fc.array(body), (bodies) => {
        const merged = mergeBodies(bodies);
        for (const name of new Set(bodies.flatMap((each) => Object.keys(each)))) {
          const values = bodies.map((each) => each[name]).filter((value) => value);
          expect(merged[name] ?? '').toBe(values.at(-1) ?? '');
        }
      }),
    );
  });

  it('gives the same result all at once and step by step', () => {
    fc.assert(
      fc.property(fc.array(body), body, (bodies, last) => {
        expect(mergeBodies([mergeBodies(bodies), last])).toEqual(mergeBodies([...bodies, last]));
      }),
    );
  });
});

it('changedFields returns the differing names, sorted', () => {
  expect(changedFields({ a: '1', b: '2', c: '3' }, { d: '4', c: '3', b: 'x' })).toEqual([
    'a',
    'b',
    'd',
  ]);
});

it('changedFields ignores the order of fields', () => {
  expect(changedFields({ a: 1, b: [2] }, { b: [2], a: 1 })).toEqual([]);
  expect(changedFields({ a: 1 }, { a: '1' })).toEqual(['a']);
});

it('changedFields compares nested JSON by value', () => {
  expect(changedFields({ a: [{ b: null }] }, { a: [{ b: null }] })).toEqual([]);
  for (const other of [{ a: [{ b: '' }] }, { a: [{}] }, { a: { 0: { b: null } } }, { a: null }]) {
    expect(changedFields({ a: [{ b: null }] }, other)).toEqual(['a']);
  }
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
      expect(changedFields(given, JSON.parse(JSON.stringify(given)))).toEqual([]);
    }),
  );
});
