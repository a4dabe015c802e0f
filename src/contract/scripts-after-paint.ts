/** Where the server writes, as JSON, which files a page's scripts are (`ScriptFiles`). */
export const scriptFilesMark = '"SCRIPT FILES"';

/** Addresses: the scripts of a page in their order, and what those import. */
export type ScriptFiles = {
  readonly scripts: readonly string[];
  readonly imports: readonly string[];
};

/** A page that is not drawn has no frames: so long its scripts wait at most. */
const LONGEST_WAIT_MS = 1000;

/**
 * Source of an inline script, last in a page: asks for the page's scripts once what stands before it is
 * painted, each in a task of its own: to ask for one takes a cheap phone 10 ms, and a tap may come between.
 * Asked for sooner they share the line, and the processor, with the first question
 * (docs/decisions/0032-page-loading.md).
 */
export const scriptsAfterPaint = `(()=>{var d=document,f=${scriptFilesMark},a=(n,p)=>d.head.append(Object.assign(d.createElement(n),p)),g=()=>{var u=f.imports.shift();u?a("link",{rel:"modulepreload",href:u}):(u=f.scripts.shift())&&a("script",{type:"module",async:!1,src:u});u&&setTimeout(g)};requestAnimationFrame(()=>setTimeout(g));setTimeout(g,${LONGEST_WAIT_MS})})()`;
