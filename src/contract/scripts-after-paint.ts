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
 * painted. Asked for sooner they share the line, and the processor, with the first question
 * (docs/decisions/0043-first-paint.md).
 */
export const scriptsAfterPaint = `(()=>{var d=document,f=${scriptFilesMark},a=(n,p)=>d.head.append(Object.assign(d.createElement(n),p)),g=()=>{f.imports.splice(0).map(u=>a("link",{rel:"modulepreload",href:u}));f.scripts.splice(0).map(u=>a("script",{type:"module",async:!1,src:u}))};requestAnimationFrame(()=>setTimeout(g));setTimeout(g,${LONGEST_WAIT_MS})})()`;
