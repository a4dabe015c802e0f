/** A pack of every flow in each of its languages, read as somebody who has never seen the system. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { calendarDate } from '../../src/domain/dates.ts';
import { SLICES, seenText } from '../../src/domain/seen-consent.ts';
import { readZip } from '../../src/evidence/zip.ts';
import { flowOf, surveyFacts, surveys } from '../../src/flows/surveys.ts';
import { makePack } from '../../src/server/operators/evidence/pack.ts';
import { fictionalPhone } from '../e2e/support/visitors.ts';
import { tcpaOf } from '../support/consent.ts';
import { freshLead, serverForTests } from '../support/server.ts';
import { answeredSteps, qualifiedWay } from '../support/ways.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const site = serverForTests(() => ({
  EVIDENCE_KEY: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
}));

const consent_seen = seenText(2 ** SLICES - 1, {
  ...{ how: 'button', viewport: [390, 844], pixelRatio: 3, zoom: 1, language: 'en-US' },
  ...{ theme: 'light', size: [343, 118], fontSize: 13, contrast: 7.1 },
  ...{ inViewMs: 9_120, wholeInViewMs: 8_420, focusBeforeMs: 12_000 },
  ...{ pressedAt: new Date().toISOString(), label: 'See if you qualify' },
});
const today = calendarDate(new Date(), 'America/New_York');
// The benefits flow posts no lead.
const read = [
  ...new Map(
    surveys
      .filter(({ flow }) => flow !== 'benefits')
      .map((each) => [`${each.flow}, ${each.language}`, each]),
  ).entries(),
];
/** What may be empty: a text that names its firms itself has no buyers. */
const mayBeEmpty = new Set(['buyers', 'agreedTo']);

test.each(read)(
  '%s: each question has an answer, in a file and a member of it',
  async (_, survey) => {
    const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
    const flow = await flowOf(survey);
    const answers = Object.values(answeredSteps(flow, qualifiedWay(flow, context)).answers);
    const phone = fictionalPhone(read.findIndex(([, each]) => each === survey));
    const body = freshLead({
      ...Object.assign({}, ...answers),
      ...{ survey: survey.path, language: survey.language, consent_seen, ...tcpaOf(survey) },
      ...{ first_name: 'Maria', last_name: 'Sandoval', email: 'maria@mail.example' },
      ...{
        phone,
        zip_code: '10001',
      },
    });
    expect((await site.post('/post-lead', body)).status).toBe(200);
    const { pool, db } = site.database;
    const { bytes } = await makePack({ pool, db, settings: site.settings }, String(body.lead_id));
    const files = readZip(bytes);
    const textOf = (name: string) => Buffer.from(files.get(name) ?? []).toString();
    const [, asked = ''] =
      /WHAT IT ANSWERS\n([\s\S]*)\n\nHOW TO CHECK/.exec(textOf('readme.txt')) ?? [];
    const questions = [...asked.matchAll(/^(\S.*)\n((?: {4}.*\n)+?) {4}file: (.*)$/gm)];
    expect(questions.map(([, question]) => question?.split('?')[0])).toEqual([
      ...['Who agreed', 'To what text', 'Was it visible', 'When', 'From where'],
      ...[
        'Which firms were named',
        'Who got it',
        'What did they get',
        'Was anything changed since',
        'How did it get here',
      ],
    ]);
    for (const [, question, answer = '', where = ''] of questions) {
      expect([question, answer.trim()]).toEqual([
        question,
        expect.not.stringMatching(/^$|not known|unknown|undefined|null|NaN|Not measured/),
      ]);
      for (const place of where.split(/; (?:picture: )?/)) {
        const [name = '', ...members] = place.split(/, (?=")/);
        // Several files without members, or one with.
        for (const each of name.split(', ')) {
          const isThere = each.includes('*') || files.has(each);
          expect([each, isThere]).toEqual([each, true]);
        }
        if (name.includes('*')) continue;
        for (const member of members
          .flatMap((each) => each.split(', '))
          .map((each) => JSON.parse(each))) {
          const found = JSON.parse(textOf(name));
          const value = Array.isArray(found) ? found.map((each) => each[member]) : found[member];
          expect([name, member, mayBeEmpty.has(member) || Boolean(value)]).toEqual([
            name,
            member,
            true,
          ]);
        }
      }
    }
    const step = textOf('consent-step.html');
    // The page asks for the number on this step, and for the name perhaps on another one.
    expect(step).toContain(phone.slice(-4));
    // The styles of pressed answers, of firms and of progress in percent.
    for (const rule of [
      /\.choice\[aria-pressed/,
      /\.buyer\s*\{/,
      /\[data-progress=[^\]]*percent/,
    ]) {
      expect(step).toMatch(rule);
    }
    expect(step).toMatch(new RegExp(`lang=(&quot;|")${survey.language}\\1`));
  },
);
