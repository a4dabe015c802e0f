/** Visits and leads of made-up persons, as the pages of all surveys send them. No two persons say the same. */
import { createHash } from 'node:crypto';
import { deriveFields } from '../src/domain/derive-fields.ts';
import { SLICES, seenText } from '../src/domain/seen-consent.ts';
import { stepOf } from '../src/flows/engine/flow.ts';
import { walk } from '../src/flows/engine/walk.ts';
import { flowLoaders, type Survey, surveyFacts, surveys } from '../src/flows/surveys.ts';
import { leadBody } from '../src/journey/lead-body.ts';
import { newVisit } from '../src/journey/visit.ts';
import type { LeadStore } from '../src/server/accept/lead-store.ts';
import type { ProgressStore } from '../src/server/visits/progress-store.ts';
import { createSaveProgress } from '../src/server/visits/save-progress.ts';
import { tcpaOf } from '../tests/support/consent.ts';
import { hashOfSecret, noByteLimit, testAcceptLead, testVisitor } from '../tests/support/leads.ts';
import { answeredSteps, qualifiedWay } from '../tests/support/ways.ts';

const STEPS = 20;
const VERSIONS = ['140.0.7339.80', '141.0.7390.43', '141.0.7390.122', '142.0.7444.48'];
const PHONES = ['Pixel 9', 'SM-S928U', 'SM-A156U', 'moto g power 5G - 2024', 'K'];
const FIRST = 'Maria James Ana Robert Linda Luis Susan Kevin Tanya Omar Grace Peter'.split(' ');
const LAST = 'Sandoval Miller Okafor Nguyen Diaz Walker Kowalski Brooks Haddad Reyes'.split(' ');
const ZIPS = '10001 33101 78620 90001 60601 30301 85001 89101 19103 43004'.split(' ');
const WORDS =
  `I was stopped at the red light on my way to work when a white pickup truck hit my car from behind and
  pushed me into another vehicle my neck back shoulder hurt since then they said he was texting police came ambulance
  took us to hospital for two days cannot sleep lift kids pain every morning insurance only offered little money knee
  surgery therapy twice a week lost job bills wife was passenger too airbag went off freeway exit rain`.split(
    /\s+/,
  );

/** Returns numbers that look random, the same ones for every run. */
function chance(seed: string): (below: number) => number {
  let at = 0;
  return (below) => {
    at += 1;
    return createHash('sha256').update(`${seed} ${at}`).digest().readUInt32BE() % below;
  };
}

function made(number: number) {
  const draw = chance(String(number));
  const one = (values: readonly string[]) => values[draw(values.length)] ?? '';
  const token = createHash('sha512').update(`gclid ${number}`).digest('base64url').slice(0, 80);
  const id = createHash('md5').update(`click ${number}`).digest('hex');
  const phone = `${212 + draw(700)}555${String(draw(10_000)).padStart(4, '0')}`;
  const name = { first_name: one(FIRST), last_name: one(LAST) };
  const mozilla = 'Mozilla/5.0 (';
  const kit = ') AppleWebKit/537.36 (KHTML, like Gecko) Chrome/';
  return {
    draw,
    userAgent:
      draw(2) === 0
        ? `${mozilla}Linux; Android ${13 + draw(4)}; ${one(PHONES)}${kit}${one(VERSIONS)} Mobile Safari/537.36`
        : `${mozilla}iPhone; CPU iPhone OS 18_${draw(7)} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${draw(7)} Mobile/15E148 Safari/604.1`,
    address: `${20 + draw(180)}.${draw(256)}.${draw(256)}.${draw(256)}`,
    search: `?oid=81&s1=${one(['fb', 'gg', 'tt'])}-${draw(900)}&sub2=${draw(90_000)}&gclid=${token}&_ef_transaction_id=${id}`,
    person: {
      ...name,
      email: `${name.first_name}.${name.last_name}${draw(10_000)}@${one(['gmail.com', 'yahoo.com', 'icloud.com'])}`,
      phone,
      phoneNumber: phone,
      zip_code: one(ZIPS),
      case_description: Array.from({ length: 15 + draw(20) }, () => one(WORDS)).join(' '),
    } as Readonly<Record<string, string>>,
  };
}

/** What the page of a visitor measured of the consent. */
export function seenBy(draw: (below: number) => number, now: number): string {
  const inViewMs = 4_000 + draw(30_000);
  return seenText(2 ** SLICES - 1, {
    ...{ how: 'button', pixelRatio: 2.63, zoom: 1, language: 'en-US', theme: 'light' },
    ...{ viewport: [360 + draw(70), 760 + draw(160)], size: [343, 100 + draw(60)] },
    ...{ fontSize: 13, contrast: 7.13, inViewMs, wholeInViewMs: inViewMs - 700 },
    ...{ focusBeforeMs: inViewMs + 900, pressedAt: new Date(now).toISOString() },
    label: 'See If You Qualify',
  });
}

type Way = Awaited<ReturnType<typeof waysOf>>[number];

async function waysOf(now: Date) {
  const today = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, day: now.getUTCDate() };
  const all = surveys.map(async (survey) => {
    const flow = await flowLoaders[survey.flow]();
    const context = {
      ...{ today, survey: surveyFacts(survey) },
      settings: { dateOfBirthStates: [] },
    };
    return { survey, flow, context, way: answeredSteps(flow, qualifiedWay(flow, context)) };
  });
  return (await Promise.all(all)).filter(({ flow, way }) =>
    way.steps.some((step) => stepOf(flow, step).submits),
  );
}

/** The answers of a way, with a person's own values. */
function answersOf({ way }: Way, person: Readonly<Record<string, string>>) {
  const own = (answers: object) =>
    Object.fromEntries(
      Object.entries(answers).map(([field, value]) => [field, person[field] ?? value]),
    );
  return Object.fromEntries(
    Object.entries(way.answers).map(([step, answers]) => [step, own(answers)]),
  );
}

function visitOf(number: number, survey: Survey) {
  const { search, userAgent, address } = made(number);
  const now = Date.now();
  const href = `https://claims.example.com${survey.path}${search}`;
  const visit = newVisit(survey.path, { href, referrer: 'https://www.google.com/', now });
  const secretSha256 = hashOfSecret(visit.secret ?? '');
  const page = href.split('?')[0] ?? '';
  return { visit, visitor: { ...testVisitor, address, userAgent, page, secretSha256 }, now };
}

/** Creates visitors who post leads and save steps. */
export async function madeVisits(leadStore: LeadStore, progressStore: ProgressStore) {
  const ways = await waysOf(new Date());
  const { post } = testAcceptLead({ leadStore, now: () => new Date() });
  const saveProgress = createSaveProgress({
    ...{ store: progressStore, addressBytes: noByteLimit, stepsPerVisit: 500 },
    ...{ tooManySteps: () => undefined, now: () => new Date() },
  });
  const wayOf = (number: number) => ways[number % ways.length] as Way;

  return {
    surveys: ways.length,

    /** Posts the lead of a visitor. */
    async postLead(number: number): Promise<void> {
      const own = wayOf(number);
      const { survey, flow, context } = own;
      const { person, draw } = made(number);
      const { visit, visitor, now } = visitOf(number, survey);
      const { answers } = walk(flow, answersOf(own, person), context);
      const { derived } = deriveFields({
        ...{ answers, today: context.today, rules: flow.rules ?? {} },
        settings: { partialFaultStates: [], limitation: 'coded', forcesTreatment: true },
        checks: { is_gibberish: 'no', bad_words: 'no' },
      });
      const timeOnSteps = own.way.steps.map((step) => `${step}:${1 + draw(30)}`).join('|');
      const { tcpa: text, consent_version: version } = tcpaOf(survey);
      const body = leadBody({
        ...{ survey, answers, derived, place: undefined, earlier: {}, consent: { text, version } },
        visit: {
          ...visit,
          timeOnSteps,
          consentShownAt: new Date(now - draw(60_000)).toISOString(),
          collected: { trusted_form_cert_id: '' } as object,
        },
        userAgent: visitor.userAgent,
        submittedAt: new Date(now).toISOString(),
        consentSeen: seenBy(draw, now),
      });
      await post(body, visitor);
    },

    /** Saves twenty steps of a visitor, each by itself, who posts no lead. */
    async abandon(number: number): Promise<void> {
      const own = wayOf(number);
      const { person, draw } = made(number);
      const { visit, visitor, now } = visitOf(number, own.survey);
      const answers = answersOf(own, person);
      const entries = own.way.steps.flatMap((step) => [
        { kind: 'viewed', step, answers: {} },
        { kind: 'answered', step, answers: answers[step] ?? {}, seconds: 1 + draw(30) },
      ]);
      const shown = Array.from({ length: STEPS }, (_, at) => entries[at % entries.length]);
      for (let seq = 1; seq <= STEPS; seq += 2) {
        const data = shown.slice(seq - 1, seq + 1).map((entry, at) => ({
          ...entry,
          seq: seq + at,
          at: new Date(now + seq * 4_000 + draw(4_000)).toISOString(),
        }));
        await saveProgress({ session: visit.session, data }, visitor);
      }
    },
  };
}
