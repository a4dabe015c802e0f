/** Placeholder that the server replaces by the page's `ScriptFiles` as JSON. */
export const scriptFilesMark = '"SCRIPT FILES"';

/** URLs of a page's scripts, in order, and of the modules that they import. */
export type ScriptFiles = {
  readonly scripts: readonly string[];
  readonly imports: readonly string[];
};

/** Longest wait for the first frame. A page in a background tab has no frame. */
const LONGEST_WAIT_MS = 1000;

/**
 * Source of a page's last inline script. It requests the page's scripts after the first paint, so that they do
 * not delay the first question. Each request runs in a task of its own, so that a tap need not wait for all
 * requests: one takes 10 ms on a cheap phone (docs/decisions/0032-page-loading.md).
 */
export const scriptsAfterPaint = `(()=>{var d=document,f=${scriptFilesMark},a=(n,p)=>d.head.append(Object.assign(d.createElement(n),p)),g=()=>{var u=f.imports.shift();u?a("link",{rel:"modulepreload",href:u}):(u=f.scripts.shift())&&a("script",{type:"module",async:!1,src:u});u&&setTimeout(g)};requestAnimationFrame(()=>setTimeout(g));setTimeout(g,${LONGEST_WAIT_MS})})()`;
