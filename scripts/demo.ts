/** `npm run demo`: runs the server with the sandbox as every third party. */
import { sandboxEnvironment } from '../sandbox/environment.ts';
import { startSandbox } from '../sandbox/server.ts';
import { failStart, main } from '../src/server/main.ts';
import { readEnvFile } from '../src/server/settings/environment.ts';
import { parseSettings } from '../src/server/settings/settings.ts';
import type { SummaryLine } from '../src/server/wiring/start-summary.ts';
import { buildPages } from './build.ts';
import { fillDemo } from './history/fill.ts';

const ofEnvironment = { ...process.env };
/** Uses a fixed port, so that a restarted demo can send the leads that wait for the sandbox. */
const port = portOfSandbox();
const sandbox = await startSandbox({ port }).catch((error: NodeJS.ErrnoException) =>
  failStart(
    new Error(
      `the sandbox cannot use port ${port} (${error.code}): set SANDBOX_PORT to a free one`,
    ),
  ),
);

function portOfSandbox(): number {
  try {
    const { SANDBOX_PORT } = { ...readEnvFile(), ...ofEnvironment };
    return parseSettings(SANDBOX_PORT === undefined ? {} : { SANDBOX_PORT }).sandboxPort;
  } catch (error) {
    return failStart(error);
  }
}
const demo = {
  ...sandboxEnvironment(sandbox.url),
  // Turns on phone verification by SMS in the listed surveys.
  SURVEY_OVERRIDES: JSON.stringify({
    '/survey/v4nv': { verifiesPhone: true },
    '/survey/v4nv-es': { verifiesPhone: true },
    '/survey/v6': { verifiesPhone: true },
  }),
  // Invented details, which the pages mark as examples.
  CALL_HOURS: 'Monday to Friday, 9 am to 6 pm Eastern',
  CALL_HOURS_ES: 'De lunes a viernes, de 9 a. m. a 6 p. m., hora del Este',
  LEGAL_ENTITY: 'Example Media LLC',
  POSTAL_ADDRESS: '100 Main Street, Springfield',
  FOUNDER_NAME: 'Jamie Example',
  FOUNDER_NOTE:
    'This is an example. Here the founder says in a few sentences why this site exists, and who answers if something goes wrong.',
  FOUNDER_NOTE_ES:
    'Este es un ejemplo. Aquí quien fundó el sitio dice en pocas frases para qué existe, y quién responde si algo sale mal.',
  REVIEWER: JSON.stringify({
    name: 'Alex Example',
    barState: 'TX',
    barNumber: '00000000',
    reviewedOn: '2026-11-28',
    record: 'https://www.example.com/',
  }),
  // Two more buyers, who share the account in the sandbox.
  EXTRA_DESTINATIONS: JSON.stringify({ smith: { like: 'ingest' }, garza: { like: 'ingest' } }),
  CLICK_COST_PARAM: 'cost',
  EXPERIMENTS: JSON.stringify({ buttons: { surveys: ['/survey/v5'] } }),
};
/** The query of an ad click for which a survey calls every third party. */
const click = new URLSearchParams({
  s1: 'demo',
  gclid: 'demo',
  affid: '389',
  'show-meter': 'yes',
  first_name: 'Maria',
});
const settings = Object.fromEntries(
  Object.entries(demo).map(([name, value]) => [name, ofEnvironment[name] ?? value]),
);
Object.assign(process.env, settings);
if (buildPages()) console.log('Pages built.');
if (process.argv.includes('--history')) console.log(await fillDemo().catch(failStart));
const hints: readonly SummaryLine[] = [
  ['Received', `${sandbox.url}/_sandbox/received lists what the third parties received`],
  ['Survey', `/survey/v6?${click} on the address above uses them all`],
  [
    '',
    'the SMS code is at /_sandbox/codes there; a description with "hit and run" alerts the operators;',
  ],
  ['', 'an e-mail address @mailinator.com is refused once, then accepted with an alert'],
  ['', '/survey/v4nv?s1=demo and /survey/v4nv-es?s1=demo ask for a code, too'],
];
await main(hints, settings).catch(failStart);
