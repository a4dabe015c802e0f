/** Inline, so that a page makes no further request. */
const styles = `
:root { color-scheme: light dark; --line: light-dark(#8994a3, #5b6675);
  --good: light-dark(#0b6b3a, #5fd39a); --bad: light-dark(#b3261e, #ff8a80); }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.125rem; }
pre { font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .5rem 0; }
label { display: grid; font-size: .8125rem; }
select, input, button { font: inherit; padding: .375rem .5rem; min-height: 2.75rem; max-width: 100%;
  border: 1px solid var(--line); border-radius: .375rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .5rem; border-top: 1px solid var(--line);
  overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
nav { display: flex; flex-wrap: wrap; gap: .25rem .75rem; } nav a[aria-current] { font-weight: 700; }
@media (max-width: 40rem) {
  .requests thead { position: absolute; clip-path: inset(50%); }
  .requests, .requests tbody, .requests tr, .requests td { display: block; }
}
`;

/** A piece of HTML, whose values are escaped. */
export type Html = { readonly html: string };

type Value = Html | string | number | false | null | undefined | readonly Value[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

function rendered(value: Value): string {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (one) => entities[one] ?? one);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(rendered).join('');
}

/** Builds HTML from a template. Values are escaped; lists are joined; false, null and undefined are omitted. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: String.raw({ raw: parts }, ...values.map(rendered)) };
}

/** Renders a whole HTML page. */
export function document(title: string, content: Html): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${{ html: styles }}</style></head>
<body><main>${content}</main></body></html>`.html;
}
