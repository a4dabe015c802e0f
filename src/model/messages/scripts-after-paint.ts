/** The server replaces this mark by the page's `ScriptFiles` as JSON. */
export const scriptFilesMark = '"SCRIPT FILES"';

/** The addresses of a page's scripts, in order, and of the modules that they import. */
export type ScriptFiles = {
  readonly scripts: readonly string[];
  readonly imports: readonly string[];
};

/** The longest wait for the first frame: a page in a background tab has none. */
const LONGEST_WAIT_MS = 1000;

/**
 * The source of the last inline script of a page. It requests the page's scripts after the first paint, since
 * they would otherwise compete with the first question for bandwidth and processor. Each request runs in its own
 * task: one takes a cheap phone 10 ms, and a tap must not wait for all of them
 * (docs/decisions/0032-page-loading.md).
 */
export const scriptsAfterPaint = `(()=>{var d=document,f=${scriptFilesMark},a=(n,p)=>d.head.append(Object.assign(d.createElement(n),p)),g=()=>{var u=f.imports.shift();u?a("link",{rel:"modulepreload",href:u}):(u=f.scripts.shift())&&a("script",{type:"module",async:!1,src:u});u&&setTimeout(g)};requestAnimationFrame(()=>setTimeout(g));setTimeout(g,${LONGEST_WAIT_MS})})()`;
