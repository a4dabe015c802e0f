/** Placeholder for the page's `ScriptFiles` as JSON. */
export const scriptFilesMark = '"SCRIPT FILES"';

/** URLs of a page's scripts in order, and of the modules that they import. */
export type ScriptFiles = {
  readonly scripts: readonly string[];
  readonly imports: readonly string[];
};

/** Maximum wait for the first frame, which a page in a background tab never gets. */
const LONGEST_WAIT_MS = 1000;

/** Requests scripts one by one after the first paint (docs/decisions/0032-page-loading.md). */
export const scriptsAfterPaint = `(()=>{var d=document,f=${scriptFilesMark},a=(n,p)=>d.head.append(Object.assign(d.createElement(n),p)),g=()=>{var u=f.imports.shift();u?a("link",{rel:"modulepreload",href:u}):(u=f.scripts.shift())&&a("script",{type:"module",async:!1,src:u});u&&setTimeout(g)};requestAnimationFrame(()=>setTimeout(g));setTimeout(g,${LONGEST_WAIT_MS})})()`;
