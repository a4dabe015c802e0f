/** Rebuilds the consent step as one HTML file without scripts, from what was recorded. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StepRebuilder } from '../../../contract/recorded-step.ts';
import type { Settings } from '../../config/settings.ts';
import type { LoggedConsent } from './entries.ts';
import type { PackFacts } from './pack-texts.ts';

export type SiteOfStep = Pick<Settings, 'surveys' | 'experiments' | 'timeZone' | 'site'>;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const DARK = { ink: '#f4f4f2', paper: '#1b1d22', line: '#6b6f7a' };
const LIGHT = { ink: '#1d1f24', paper: '#ffffff', line: '#c4c7cf' };

/** The largest window that is drawn, in CSS pixels. */
const WIDEST = 4_096;
/** What the step has beside the consent text and its fields, and each of these: about, in CSS pixels. */
const STEP_HEIGHT = 640;
const FIELD_HEIGHT = 110;
/** The size of the page around the step, in CSS pixels. */
const PAGE_WIDTH = 1_024;
const PAGE_HEIGHT = 1_100;

/** A page, and the window in which all of it is seen. */
export type StepPage = { readonly html: string; readonly width: number; readonly height: number };

/** Where `scripts/build.ts` puts the survey's own screens. */
const SCREENS = path.join(import.meta.dirname, '../../../../dist/forms/consent-step.mjs');
let loading: Promise<StepRebuilder | undefined> | undefined;

/** Returns the step drawn by the survey's own screens; undefined if they have changed, or are not built. */
async function drawnByTheSurvey(
  { consent, row, lead }: PackFacts,
  site: SiteOfStep,
): Promise<string | undefined> {
  loading ??= import(pathToFileURL(SCREENS).href).then(
    (module) => module.rebuildStep,
    () => undefined,
  );
  const rebuildStep = await loading;
  const recorded = {
    ...{ path: lead.survey, pageVersion: consent.pageVersion, variants: lead.variants },
    ...{ hasSignal: lead.sec_gpc, ranScripts: consent.how !== 'form', at: row.received_at },
    theme: consent.visibility?.theme ?? '',
    ...{ text: consent.text, buyers: consent.buyers ?? [], answers: row.body, fields: row.fields },
  };
  // A pack is worth having with a plainer picture too.
  return rebuildStep?.(recorded, site).catch(() => undefined);
}

/** Returns the page. Its frame is as wide as the visitor's window was, and at least as high. */
export async function consentStep(pack: PackFacts, site: SiteOfStep): Promise<StepPage> {
  const { consent, lead } = pack;
  const { visibility } = consent;
  // The numbers are a browser's word: a page must remain readable.
  const [width, height] = (visibility?.viewport ?? [390, 844]).map((each) =>
    Math.min(each, WIDEST),
  ) as [number, number];
  const drawn = await drawnByTheSurvey(pack, site);
  const fields = drawn?.match(/ data-field="| class="buyer"/g)?.length ?? 0;
  const textHeight = Math.min(visibility?.size[1] ?? 300, WIDEST);
  const frameHeight = Math.max(height, STEP_HEIGHT + textHeight + fields * FIELD_HEIGHT);
  // A frame of the same origin is drawn with the page, so no picture is made before it; it still runs no script.
  const measured = visibility
    ? 'The size of the window, and light or dark, are as the page measured them.'
    : 'Nothing was measured, so the size of the window is assumed.';
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Rebuilt: the consent step of lead ${lead.id}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:24px auto;padding:0 16px;color:#1d1f24;background:#eef0f3}
.mark{border-left:6px solid #a33;padding:10px 14px;background:#fff}
.scroll{overflow-x:auto}
iframe{display:block;width:${width}px;height:${frameHeight}px;border:1px solid #888;border-radius:6px;background:#fff}
table{border-collapse:collapse;width:100%;background:#fff}
td,th{text-align:left;vertical-align:top;padding:6px 12px;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
th{font-weight:600;width:14rem}${drawn ? '' : plainStyle(pack, width, height)}
</style></head><body>
<h1>The consent step, rebuilt</h1>
<p class="mark"><strong>Not a photograph.</strong> The consent text is exactly what was recorded and logged. ${measured}
${
  drawn
    ? `The step is drawn by the survey’s own screens, in the version that the visitor answered. Typeface, colors and
the words beside the text are those of the day on which this pack was made. The whole step is shown: of it the
visitor’s window showed ${height} px at a time.`
    : 'The survey has other questions by now: typeface, colors and the order of the fields are not as they were.'
}</p>
<div class="scroll">${
    drawn
      ? `<iframe title="The consent step" sandbox="allow-same-origin" srcdoc="${escaped(drawn)}"></iframe>`
      : plainStep(pack)
  }</div>
<h2>What was recorded</h2>
<table>${[['Consent text', consent.text] as const, ...facts(consent)]
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td>${escaped(value)}</td></tr>`)
    .join('\n')}</table>
<p>Page: ${escaped(consent.page)}. Version of its questions: ${escaped(consent.pageVersion)}.</p>
</body></html>
`;
  return { html, width: Math.max(PAGE_WIDTH, width + 40), height: frameHeight + PAGE_HEIGHT };
}

function plainStyle({ consent: { visibility } }: PackFacts, width: number, height: number): string {
  const boxWidth = visibility?.size[0] ?? Math.min(width - 32, 560);
  const { ink, paper, line } = visibility?.theme.endsWith('dark') ? DARK : LIGHT;
  return `
.window{box-sizing:border-box;width:${width}px;min-height:${height}px;padding:16px;border:1px solid #888;border-radius:6px;background:${paper};color:${ink}}
.label{display:block;font-size:13px;font-weight:600}
.field{box-sizing:border-box;border:1px solid ${line};border-radius:6px;padding:8px 10px;margin:2px 0 12px;max-width:${boxWidth}px}
.window ul{list-style:none;padding:0}
.consent{width:${boxWidth}px;max-width:100%;font-size:${visibility?.fontSize ?? 13}px;overflow-wrap:anywhere}
.press{display:inline-block;border:2px solid ${ink};border-radius:6px;padding:10px 18px;font-weight:600}`;
}

/** Draws a step without the survey's screens. */
function plainStep({ consent, row }: PackFacts): string {
  const { visibility, text, language } = consent;
  const shown = (consent.buyers ?? []).map(
    ({ name, chosen }) => `<li>${chosen ? '☑' : '☐'} ${escaped(name)}</li>`,
  );
  const words = WORDS[language === 'es' ? 'es' : 'en'];
  return `<div class="window" lang="${escaped(language)}">
${contactOf(row.fields, words)}
${shown.length > 0 ? `<p class="label">${words.firms}</p><ul>${shown.join('')}</ul>` : ''}
<p class="consent" id="tcpa">${escaped(text)}</p>
<p><span class="press">${escaped(visibility?.label || words.button)}</span></p>
</div>`;
}

/** The labels of the values. */
const WORDS = {
  en: {
    ...{ first_name: 'First name', last_name: 'Last name', email: 'Email', phone: 'Phone' },
    ...{ zip_code: 'ZIP code', firms: 'Shown with the text', button: '(button)' },
  },
  es: {
    ...{ first_name: 'Nombre', last_name: 'Apellido', email: 'Correo electrónico' },
    ...{ phone: 'Teléfono', zip_code: 'Código postal' },
    ...{ firms: 'Se mostraron con el texto', button: '(botón)' },
  },
} as const;

/** The fields of the step, filled as they were sent. */
function contactOf(
  fields: Readonly<Record<string, unknown>>,
  words: (typeof WORDS)['en' | 'es'],
): string {
  return (['first_name', 'last_name', 'email', 'phone', 'zip_code'] as const)
    .filter((name) => fields[name])
    .map(
      (name) =>
        `<span class="label">${words[name]}</span><p class="field">${escaped(String(fields[name]))}</p>`,
    )
    .join('\n');
}

const seconds = (ms: number) => (ms < 100 ? 'under 0.1 s' : `${(ms / 1000).toFixed(1)} s`);

const NOT_MEASURED: Readonly<Record<string, string>> = {
  no_script: 'the browser ran no script, so the server knows only which page it sent',
  not_sent: 'the browser sent no measurement',
  malformed: 'what the browser sent was no measurement',
  too_long: 'what the browser sent was no measurement',
};

/** Returns why nothing was measured, for readers. */
export function whyNotMeasured({ visibilityMissing }: LoggedConsent): string {
  return NOT_MEASURED[visibilityMissing ?? ''] ?? 'not known why';
}

/** Returns parts in words: "all of it", or "0 % to 45 %, 8all of it". */
function partsText(inView: readonly number[]): string {
  if (inView.join() === '0,100') return 'all of it';
  const parts = inView.flatMap((from, at) => (at % 2 ? [] : [`${from} % to ${inView[at + 1]} %`]));
  return parts.length === 0 ? 'none' : `${parts.join(', ')} of its height`;
}

/** Returns what is known of how the consent was seen, for readers. */
export function facts(consent: LoggedConsent): readonly (readonly [string, string])[] {
  const { visibility: seen, how, shownAt, givenAt } = consent;
  const times = [
    ['Shown at (browser)', shownAt ?? 'not known'],
    ['Sent at (browser)', givenAt ?? 'not known'],
    ['Sent by', how === 'form' ? 'a plain form, without JavaScript' : (how ?? 'not known')],
  ] as const;
  if (!seen) return [...times, ['Not measured, because', whyNotMeasured(consent)]];
  const focus = seen.focusBeforeMs;
  return [
    ...times,
    ['Pressed at (browser)', seen.pressedAt],
    ['First field focused', focus === null ? 'never' : `${seconds(focus)} before the press`],
    ['Window', `${seen.viewport.join(' × ')} px, ${seen.pixelRatio} device pixels each`],
    ['Zoom by fingers', `${seen.zoom}`],
    ['Language, theme', `${seen.language}, ${seen.theme}`],
    ['Size of the consent text', `${seen.size.join(' × ')} px`],
    ['Font size, contrast', `${seen.fontSize} px, ${seen.contrast} : 1`],
    ['Parts of the text that were in view', partsText(seen.inView)],
    [
      'In view before the press',
      `${seconds(seen.inViewMs)}; all of it ${seconds(seen.wholeInViewMs)}`,
    ],
    ['Button', seen.label],
  ];
}
