import { expect, test } from 'vitest';
import { pageDataOf, today } from '../../web/survey/test-support/survey-fixture.ts';
import type { FlowId } from '../flows/surveys.ts';
import type { FormContext } from './form-values.ts';
import { type PostedFields, takeForm } from './posted-form.ts';
import { initialState, walkContext } from './state.ts';

async function take(
  flowId: FlowId,
  at: string,
  fields: PostedFields,
  known: Partial<FormContext['state']> = {},
) {
  const data = await pageDataOf(flowId);
  const context = walkContext(data, today);
  return takeForm({ data, context, state: { ...initialState(data.flow), ...known, at } }, fields);
}

test('takeForm returns every answer of the pressed button', async () => {
  const answers = { partial_fault: 'yes', at_Fault: 'yes' };
  const fields: PostedFields = [['partial_fault', 'yes']];
  expect(await take('v4', 'AtFault', fields)).toEqual({ type: 'answered', answers, typed: {} });
});

test.each<[PostedFields]>([[[]], [[['at_Fault', 'maybe']]], [[['with_Lawyer', 'yes']]]])(
  'takeForm refuses a missing or unknown button: %j',
  async (fields) => {
    expect(await take('v4', 'AtFault', fields)).toMatchObject({ type: 'refused', errors: {} });
  },
);

test('takeForm clears the answer of a button that the visitor presses twice', async () => {
  const text: PostedFields = [['case_description', 'A truck hit my car']];
  const pressed = await take('v4', 'IncidentDescription', [...text, ['hit_and_run', 'yes']]);
  expect(pressed).toEqual({
    type: 'edited',
    pressed: 'hit_and_run',
    typed: { case_description: 'A truck hit my car', hit_and_run: 'yes' },
  });
  const drafts = { IncidentDescription: { hit_and_run: 'yes' } };
  const again = await take('v4', 'IncidentDescription', [['hit_and_run', 'yes']], { drafts });
  expect(again).toMatchObject({ type: 'edited', typed: { hit_and_run: '' } });
});

test('takeForm writes the sentence of the pressed scenario into the description', async () => {
  const typed = { case_description: 'It rained' };
  const pressed: PostedFields = [['scenario', 'A truck hit us.'], ...Object.entries(typed)];
  expect(await take('v4', 'IncidentDescription', pressed)).toEqual({
    type: 'edited',
    pressed: 'case_description',
    typed: { case_description: 'It rained. A truck hit us. ' },
  });
});

test('takeForm accepts a doubtful value when the visitor posts the same value again', async () => {
  const typed = { first_name: 'Maria', last_name: '0rtega', email: 'maria@gmial.com' };
  const fields: PostedFields = Object.entries(typed);
  const step = 'NameAndEmail';
  const errors = { last_name: 'doubtful', email: 'doubtful' } as const;
  expect(await take('v4', step, fields)).toMatchObject({ type: 'refused', errors });
  const seen = { drafts: { [step]: typed }, errors, refusals: 1 };
  const again: PostedFields = [...fields, ['refusals', '1']];
  expect(await take('v4', step, again, seen)).toMatchObject({ type: 'answered' });
  expect(await take('v4', step, [...fields, ['refusals', '0']], seen)).toMatchObject({ errors });
  const corrected = await take('v4', step, [...fields, ['use_email', 'maria@gmail.com']]);
  expect(corrected).toMatchObject({ answers: { email: 'maria@gmail.com' } });
  const other: PostedFields = again.map(([name, value]) => [name, value.replace('gmial', 'gmai')]);
  expect(await take('v4', step, other, seen)).toMatchObject({ type: 'refused', errors });
});

test('takeForm corrects the e-mail address of a contact step without sending the lead', async () => {
  const fields: PostedFields = [
    ['first_name', 'Maria'],
    ['last_name', 'Ortega'],
    ['email', 'maria@gmial.com'],
    ['phone', '2125550123'],
    ['zip_code', '10001'],
    ['use_email', 'maria@gmail.com'],
  ];
  // The consent names another button as the signature.
  expect(await take('v4', 'AllPii', fields)).toMatchObject({
    type: 'edited',
    pressed: 'email',
    typed: { email: 'maria@gmail.com', phone: '2125550123' },
  });
});

test('takeForm takes or omits the wishes about the call, and refuses unknown values', async () => {
  const contact: PostedFields = [
    ['phone', '2125550123'],
    ['zip_code', '10001'],
  ];
  const post = (language: string, time: string) =>
    take('v4', 'PhoneAndZip', [...contact, ['call_language', language], ['call_time', time]]);
  const answers = { phone: '2125550123', zip_code: '10001' };
  expect(await post('Spanish', 'evening')).toMatchObject({
    type: 'answered',
    answers: { ...answers, call_language: 'Spanish', call_time: 'evening' },
  });
  expect(await post('', '')).toEqual(expect.objectContaining({ type: 'answered', answers }));
  expect(await post('Latin', '')).toMatchObject({
    type: 'refused',
    errors: { call_language: 'invalid' },
  });
});
