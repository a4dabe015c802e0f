import { canonicalJson, Refusal, rulesVersionOf, sha256, toHex, utf8 } from './encoding.ts';
import * as forms from './formats.ts';
import type { Files } from './zip.ts';

/** Tolerance for comparing two times of the same clock, in case the clock was set back. */
const STEP_MS = 5 * 60 * 1000;
/** Tolerance for comparing times of different clocks. */
const CLOCKS_MS = 24 * 60 * 60 * 1000;

/** Parses the logged files of a pack, by path. @throws Refusal if a file is invalid */
export function readLogged(files: Files): ReadonlyMap<string, forms.Logged> {
  const logged = [...files].filter(([path]) => path.startsWith('logged/'));
  return new Map(
    logged.map(([path, bytes]) => {
      try {
        return [path, forms.readFile(forms.loggedForm, bytes)];
      } catch (error) {
        throw new Refusal(`${path}: ${error instanceof Error ? error.message : error}`);
      }
    }),
  );
}

function isNamed(path: string, event: forms.Logged): boolean {
  if (event.kind !== 'delivery') return path === `logged/${event.kind}-${event.revision}.json`;
  const start = `logged/delivery-${event.destination}-`;
  return path.startsWith(start) && /^\d+\.json$/.test(path.slice(start.length));
}

type Values = Readonly<Record<string, unknown>>;

function differing(part: Values, whole: Values): string[] {
  return Object.keys(part).filter(
    (name) =>
      !Object.hasOwn(whole, name) || canonicalJson(whole[name]) !== canonicalJson(part[name]),
  );
}

/** Checks that all files describe the same lead and revision. */
export async function checkRecord(
  files: Files,
  { leadId, revision, recipient, leadReceivedAt, revisionReceivedAt }: forms.Manifest,
  logged: ReadonlyMap<string, forms.Logged>,
): Promise<forms.CheckResult> {
  const problems: string[] = [];
  const expect = (isSo: boolean, problem: string) => void (isSo || problems.push(problem));
  for (const [path, event] of logged) {
    expect(event.leadId === leadId, `${path} is of another lead`);
    expect(event.revision <= revision, `${path} is of a later revision`);
    expect(isNamed(path, event), `${path} holds another event`);
    if (event.kind !== 'consent') continue;
    const hash = toHex(await sha256(utf8(event.text)));
    expect(hash === event.textSha256, `${path}: textSha256 is of another text`);
  }
  const events = [...logged.values()];
  const revisionOf = (wanted?: number) =>
    events.flatMap((each) => (each.kind === 'revision' && each.revision === wanted ? each : []))[0];
  const stored = revisionOf(revision);
  const first = revisionOf(1);
  // A later revision without a consent text leaves the earlier consent valid.
  const [consent] = events
    .filter((each) => each.kind === 'consent' && each.revision <= revision)
    .sort((a, b) => b.revision - a.revision);
  expect(stored !== undefined, `revision ${revision} is not logged`);
  expect(consent !== undefined, `no consent up to revision ${revision} is logged`);
  expect(
    revisionReceivedAt === (stored?.receivedAt ?? ''),
    'manifest.json: revisionReceivedAt is not as logged',
  );
  expect(
    !first || leadReceivedAt === first.receivedAt,
    'manifest.json: leadReceivedAt is not as logged',
  );
  const wasSent = events.some((each) => each.kind === 'delivery' && each.destination === recipient);
  expect(recipient === null || wasSent, `no delivery to ${recipient} is logged`);
  const lead = forms.readFile(forms.leadForm, files.get('lead.json'));
  expect(
    lead.leadId === leadId && lead.revision === revision,
    'lead.json is of another lead or revision',
  );
  for (const name of differing(lead.fields, stored?.fields ?? {})) {
    problems.push(`lead.json: ${name} is not as logged`);
  }
  const copy = forms.readFile(forms.objectForm, files.get('consent.json'));
  for (const name of differing(consent ?? {}, copy)) {
    problems.push(`consent.json: ${name} is not as logged`);
  }
  const partners = forms.readFile(forms.partnersForm, files.get('partners.json'));
  expect(
    partners.firms === null ||
      (await rulesVersionOf(partners)) === revisionOf(consent?.revision)?.rulesVersion,
    'partners.json: the firms are not those of the logged version of the rules',
  );
  return problems;
}

/** Checks that the times of the events are in order. */
export function checkTimes(
  madeAt: string,
  head: forms.TreeHead | undefined,
  logged: readonly forms.Logged[],
  now: Date,
): forms.CheckResult {
  if (!head || logged.length === 0) return ['a time is missing'];
  const received = new Map(
    logged.flatMap((each) => (each.kind === 'revision' ? [[each.revision, each.receivedAt]] : [])),
  );
  return logged.flatMap((each) => {
    const isConsent = each.kind === 'consent';
    const isDelivery = each.kind === 'delivery';
    return disorder([
      { clock: 'visitor', name: 'shown', time: isConsent ? each.shownAt : null },
      { clock: 'visitor', name: 'given', time: isConsent ? each.givenAt : null },
      { clock: 'server', name: 'received', time: received.get(each.revision) ?? null },
      { clock: 'server', name: 'send began', time: isDelivery ? each.startedAt : null },
      { clock: 'server', name: 'send ended', time: isDelivery ? each.endedAt : null },
      { clock: 'server', name: 'head', time: head.at },
      { clock: 'server', name: 'pack', time: madeAt },
      { clock: 'reader', name: 'now', time: now.toISOString() },
    ]);
  });
}

type Time = {
  readonly clock: 'visitor' | 'server' | 'reader';
  readonly name: string;
  readonly time: string | null;
};

/** Returns a problem for each time that is later than the next time in the list. */
function disorder(times: readonly Time[]): string[] {
  const known = times.flatMap(({ time, ...rest }) => (time === null ? [] : [{ ...rest, time }]));
  return known.slice(1).flatMap((later, at) => {
    const earlier = known[at] as (typeof known)[number];
    const tolerance = earlier.clock === later.clock ? STEP_MS : CLOCKS_MS;
    const isInOrder = Date.parse(earlier.time) <= Date.parse(later.time) + tolerance;
    return isInOrder
      ? []
      : [`${earlier.name} ${earlier.time} is after ${later.name} ${later.time}`];
  });
}
