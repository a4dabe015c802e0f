/** Rebuilds the consent step as one HTML file without scripts, from what was recorded. */
import type { LoggedConsent } from './entries.ts';
import type { PackFacts } from './pack-texts.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const DARK = { ink: '#f4f4f2', paper: '#1b1d22', line: '#6b6f7a' };
const LIGHT = { ink: '#1d1f24', paper: '#ffffff', line: '#c4c7cf' };

/** The largest window that is drawn, in CSS pixels. */
const WIDEST = 4_096;

/** Returns the page. Its frame is as wide and high as the visitor's window was, its text as large. */
export function consentStep({ consent, row, lead }: PackFacts): string {
  const { visibility, text, language } = consent;
  // The numbers are a browser's word: a page must remain readable.
  const [width, height] = (visibility?.viewport ?? [390, 844]).map((each) =>
    Math.min(each, WIDEST),
  ) as [number, number];
  const [boxWidth] = visibility?.size ?? [Math.min(width - 32, 560)];
  const fontSize = visibility?.fontSize ?? 13;
  const colours = visibility?.theme.endsWith('dark') ? DARK : LIGHT;
  const shown = (consent.buyers ?? []).map(
    ({ name, chosen }) => `<li>${chosen ? '☑' : '☐'} ${escaped(name)}</li>`,
  );
  const words = WORDS[language === 'es' ? 'es' : 'en'];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Rebuilt: the consent step of lead ${lead.id}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:24px auto;padding:0 16px;color:#1d1f24;background:#eef0f3}
.mark{border-left:6px solid #a33;padding:10px 14px;background:#fff}
.scroll{overflow-x:auto}
.window{box-sizing:border-box;width:${width}px;min-height:${height}px;padding:16px;border:1px solid #888;border-radius:6px;background:${colours.paper};color:${colours.ink}}
.label{display:block;font-size:13px;font-weight:600}
.field{box-sizing:border-box;border:1px solid ${colours.line};border-radius:6px;padding:8px 10px;margin:2px 0 12px;max-width:${boxWidth}px}
.window ul{list-style:none;padding:0}
.consent{width:${boxWidth}px;max-width:100%;font-size:${fontSize}px;overflow-wrap:anywhere}
.press{display:inline-block;border:2px solid ${colours.ink};border-radius:6px;padding:10px 18px;font-weight:600}
table{border-collapse:collapse;width:100%;background:#fff}
td,th{text-align:left;vertical-align:top;padding:6px 12px;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
th{font-weight:600}
</style></head><body>
<h1>The consent step, rebuilt</h1>
<p class="mark"><strong>Not a photograph.</strong> The consent text is exactly what was recorded and logged. The size of the
window and of the text, light or dark, and the button’s words are those that the page measured${visibility ? '' : ' — here nothing was measured, so they are assumed'}.
Typeface, colors and the order of the fields are not.</p>
<div class="scroll"><div class="window" lang="${escaped(language)}">
${contactOf(row.fields, words)}
${shown.length > 0 ? `<p class="label">${words.firms}</p><ul>${shown.join('')}</ul>` : ''}
<p class="consent" id="tcpa">${escaped(text)}</p>
<p><span class="press">${escaped(visibility?.label || words.button)}</span></p>
</div></div>
<h2>What the page measured</h2>
<table>${facts(consent)
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td>${escaped(value)}</td></tr>`)
    .join('\n')}</table>
<p>Page: ${escaped(consent.page)}. Version of its questions: ${escaped(consent.pageVersion)}.</p>
</body></html>
`;
}

/** What stands beside the values. */
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

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

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
    ['Part of the text that was in view', `${seen.inView.join(' % to ')} % of its height`],
    [
      'In view before the press',
      `${seconds(seen.inViewMs)}; all of it ${seconds(seen.wholeInViewMs)}`,
    ],
    ['Button', seen.label],
  ];
}
