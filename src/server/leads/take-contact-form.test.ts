import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { testAcceptLead, testNow, testVisitor } from '../../../tests/support/leads.ts';
import { createTakeContactForm } from './take-contact-form.ts';

const typed = {
  typeOfAccident: 'Truck Accident',
  firstName: 'Maria',
  lastName: 'Sandoval',
  email: 'maria@mail.example',
  phoneNumber: '(212) 555-0123',
  message: 'Who pays for my car?',
};

function setUp(secret = 'of the database') {
  const { post: acceptLead, store } = testAcceptLead();
  const clock = { now: testNow };
  const take = createTakeContactForm({
    acceptLead,
    store,
    digest: (purpose, text) =>
      createHash('sha256').update(`${secret} ${purpose} ${text}`).digest('hex'),
    inTurn: (_, work) => work(),
    consents: [],
    now: () => clock.now,
  });
  return {
    clock,
    store,
    post: (posted: Record<string, string> = typed) => take(posted, 'en', testVisitor),
  };
}

const at = (time: string) => new Date(`2026-11-20T${time}Z`);

it('a contact form that is posted twice within seconds stores only one lead', async () => {
  const { post, store, clock } = setUp();
  clock.now = at('15:09:59');
  const first = await post();
  clock.now = at('15:10:01');
  expect(await post()).toEqual(first);
  expect([...store.leads].map(([id, { length }]) => [id, length])).toEqual([[first.lead.id, 1]]);
});

it('the lead id of a contact form depends on the database’s secret key', async () => {
  const [one, other] = [await setUp('one').post(), await setUp('other').post()];
  expect(one.lead.id).not.toBe(other.lead.id);
  expect(one.lead.secret).not.toBe(other.lead.secret);
});

it('two empty contact forms from one IP address become two leads', async () => {
  const { post } = setUp();
  const [one, other] = [await post({}), await post({})];
  expect(one.lead.id).not.toBe(other.lead.id);
});

const slip = { ...typed, firstName: 'Mar1a', email: 'maria@gmial.com' };

it('a contact form with a probable typing error is stored only when it is posted again', async () => {
  const { post, store } = setUp();
  const { wrong, doubtful, asked, lead } = await post(slip);
  expect([wrong, doubtful, store.leads.size]).toEqual([[], ['firstName', 'email'], 0]);
  const again = { ...slip, asked, lead_id: lead.id, lead_secret: lead.secret };
  expect((await post(again)).doubtful).toEqual([]);
  expect([...store.leads.keys()]).toEqual([lead.id]);
});
