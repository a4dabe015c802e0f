/** Placeholder for `ScriptFiles` as JSON. */
export const scriptFilesMark = '"SCRIPT FILES"';

/** The URLs of a page's scripts and modules. */
export type ScriptFiles = {
  readonly scripts: readonly string[];
  readonly imports: readonly string[];
};

/** Maximum wait for the first frame. A page in a background tab gets no frame. */
const LONGEST_WAIT_MS = 1000;

/** Loads scripts after the first paint (docs/decisions/0032-page-loading.md). */
export const scriptsAfterPaint = `(()=>{var d=document,f=${scriptFilesMark},a=(n,p)=>d.head.append(Object.assign(d.createElement(n),p)),g=()=>{var u=f.imports.shift();u?a("link",{rel:"modulepreload",href:u}):(u=f.scripts.shift())&&a("script",{type:"module",async:!1,src:u});u&&setTimeout(g)};requestAnimationFrame(()=>setTimeout(g));setTimeout(g,${LONGEST_WAIT_MS})})()`;
