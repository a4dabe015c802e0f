/// <reference types="astro/client" />

type PageLocals = import('../../model/messages/site-settings.ts').PageLocals;

declare namespace App {
  interface Locals extends PageLocals {}
}

/** The outlines of the states on one map of 975 by 610, by name (scripts/outlines.ts). */
declare module 'virtual:state-outlines' {
  const outlines: Readonly<Record<string, { readonly path: string; readonly viewBox: string }>>;
  export default outlines;
}
