/** The checks of what was logged: that it belongs to this lead, and that its times fit. */
import { Refusal, sha256, toHex, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';
import * as forms from './formats.ts';
import { rulesVersionOf } from './partners.ts';
import type { Found } from './report.ts';
import type { Files } from './zip.ts';

/** How far the times of one clock may be out of order: it may be set between them. In ms. */
const STEP_MS = 5 * 60 * 1000;
/** How far two clocks may differ. The server takes a consent of a browser whose clock is a day ahead. In ms. */
const CLOCKS_MS = 24 * 60 * 60 * 1000;

/** Reads the logged files. @throws Refusal */
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

/** Returns whether a file's name is that of its event. */
function isNamed(path: string, event: forms.Logged): boolean {
  if (event.kind !== 'delivery') return path === `logged/${event.kind}-${event.revision}.json`;
  const start = `logged/delivery-${event.destination}-`;
  return path.startsWith(start) && /^\d+\.json$/.test(path.slice(start.length));
}

/** Returns the members of a part that the whole has not, or has with another value. */
function differing(part: Readonly<Record<string, unknown>>, whole: object): string[] {
  return Object.entries(part)
    .filter(([name, value]) => {
      const other = Object.entries(whole).find(([key]) => key === name);
      return !other || canonicalJson(other[1]) !== canonicalJson(value);
    })
    .map(([name]) => name);
}

export async function checkRecord(
  files: Files,
  { leadId, revision, recipient, leadReceivedAt, revisionReceivedAt }: forms.Manifest,
  logged: ReadonlyMap<string, forms.Logged>,
): Promise<Found> {
  const problems: string[] = [];
  for (const [path, event] of logged) {
    if (event.leadId !== leadId) problems.push(`${path} is of another lead`);
    if (event.revision > revision) problems.push(`${path} is of a later revision`);
    if (!isNamed(path, event)) problems.push(`${path} holds another event`);
    if (event.kind === 'consent' && toHex(await sha256(utf8(event.text))) !== event.textSha256) {
      problems.push(`${path}: textSha256 is of another text`);
    }
  }
  const events = [...logged.values()];
  const stored = events.find((each) => each.kind === 'revision' && each.revision === revision);
  // A later revision may bring no consent of its own, such as a corrected number.
  const [consent] = events
    .filter((each) => each.kind === 'consent' && each.revision <= revision)
    .sort((a, b) => b.revision - a.revision);
  if (stored?.kind !== 'revision') problems.push(`revision ${revision} is not logged`);
  const { receivedAt = '' } = stored?.kind === 'revision' ? stored : {};
  if ((revisionReceivedAt ?? receivedAt) !== receivedAt) {
    problems.push('manifest.json: revisionReceivedAt is not as logged');
  }
  const [first] = events.filter((each) => each.kind === 'revision' && each.revision === 1);
  if (first?.kind === 'revision' && (leadReceivedAt ?? first.receivedAt) !== first.receivedAt) {
    problems.push('manifest.json: leadReceivedAt is not as logged');
  }
  if (!consent) problems.push(`no consent up to revision ${revision} is logged`);
  const wasSent = events.some((each) => each.kind === 'delivery' && each.destination === recipient);
  if (recipient !== null && !wasSent) problems.push(`no delivery to ${recipient} is logged`);
  const lead = forms.readFile(forms.leadForm, files.get('lead.json'));
  if (lead.leadId !== leadId || lead.revision !== revision) {
    problems.push('lead.json is of another lead or revision');
  }
  const fields = stored?.kind === 'revision' ? stored.fields : {};
  for (const name of differing(lead.fields, fields)) {
    problems.push(`lead.json: ${name} is not as logged`);
  }
  const told = forms.readFile(forms.objectForm, files.get('consent.json'));
  for (const name of differing(consent ?? {}, told)) {
    problems.push(`consent.json: ${name} is not as logged`);
  }
  return [...problems, ...(await checkPartners(files, consent?.revision, events))];
}

/** Checks that the list of partners is the one of the rules that the consent was logged with. */
async function checkPartners(
  files: Files,
  revision: number | undefined,
  events: readonly forms.Logged[],
): Promise<string[]> {
  // Packs of earlier versions have no such file.
  if (!files.has('partners.json')) return [];
  const partners = forms.readFile(forms.partnersForm, files.get('partners.json'));
  if (partners.firms === null) return [];
  const logged = events.find((each) => each.kind === 'revision' && each.revision === revision);
  const version = logged?.kind === 'revision' ? logged.rulesVersion : undefined;
  return (await rulesVersionOf(partners)) === version
    ? []
    : ['partners.json: the firms are not those of the logged version of the rules'];
}

/** Checks that the times follow one another. */
export function checkTimes(
  { madeAt }: forms.Manifest,
  head: forms.TreeHead | undefined,
  logged: readonly forms.Logged[],
  now: Date,
): Found {
  if (!head || logged.length === 0) return ['a time is missing'];
  const ends = [
    timeOf('server', 'head', head.at),
    timeOf('server', 'pack', madeAt),
    timeOf('reader', 'now', now.toISOString()),
  ];
  const received = new Map(
    logged.flatMap((each) => (each.kind === 'revision' ? [[each.revision, each.receivedAt]] : [])),
  );
  return logged.flatMap((each) =>
    disorder([
      ...(each.kind === 'consent'
        ? [timeOf('visitor', 'shown', each.shownAt), timeOf('visitor', 'given', each.givenAt)]
        : []),
      timeOf('server', 'received', received.get(each.revision) ?? null),
      ...(each.kind === 'delivery'
        ? [
            timeOf('server', 'send began', each.startedAt),
            timeOf('server', 'send ended', each.endedAt),
          ]
        : []),
      ...ends,
    ]),
  );
}

/** A time by one of the three clocks; null: not known. */
type Time = {
  readonly clock: 'visitor' | 'server' | 'reader';
  readonly name: string;
  readonly time: string | null;
};

function timeOf(clock: Time['clock'], name: string, time: string | null): Time {
  return { clock, name, time };
}

/** Returns the neighbours that stand in the wrong order. A missing time is left out. */
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
