/** Inline, so that a page makes no further request. */
const styles = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dfe7; --back: #f5f7fa;
  --card: #fff; --good: #0b6b3a; --bad: #b3261e; --accent: #1f4fa3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #333d4a;
  --back: #12161c; --card: #1b212a; --good: #5fd39a; --bad: #ff8a80; --accent: #8fb4ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .25rem 0; } h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem; }
p { margin: .25rem 0 .75rem; } a { color: var(--accent); }
code, pre { font: .8125rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .75rem; background: var(--back); border: 1px solid var(--line);
  border-radius: .375rem; white-space: pre-wrap; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: 0; list-style: none; }
.facts b { font-size: 1.25rem; }
form.row + form.row { margin-top: .75rem; } form.row p { margin: .5rem 0; }
form.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
label { display: grid; gap: .125rem; font-size: .8125rem; color: var(--soft); }
select, input, button { font: inherit; color: inherit; background: var(--card); padding: .375rem .5rem;
  border: 1px solid var(--soft); border-radius: .375rem; min-height: 2.75rem; max-width: 100%; }
input[type=number] { width: 7rem; }
button { cursor: pointer; font-weight: 600; } button.bad { border-color: var(--bad); color: var(--bad); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; padding: .5rem .625rem; border-top: 1px solid var(--line);
  overflow-wrap: break-word; }
td:nth-child(3) { overflow-wrap: anywhere; }
thead th { font-size: .8125rem; color: var(--soft); border-top: 0; }
time { white-space: nowrap; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.soft { color: var(--soft); } summary { cursor: pointer; padding: .25rem 0; }
nav { display: flex; flex-wrap: wrap; gap: .25rem .75rem; margin: .5rem 0; }
nav a[aria-current] { font-weight: 700; color: var(--ink); }
@media (max-width: 40rem) {
  .requests thead { position: absolute; clip-path: inset(50%); }
  .requests, .requests tbody, .requests tr, .requests td { display: block; }
  .requests tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  .requests td { border: 0; padding: .125rem .625rem; }
  .requests td:not(:nth-child(3)) { display: inline-block; padding-right: 0; }
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
