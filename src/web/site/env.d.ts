/// <reference types="astro/client" />

type PageLocals = import('../../model/messages/site-settings.ts').PageLocals;

declare namespace App {
  /** The inputs of every page besides its address, given by the server (astro-pages.ts). */
  interface Locals extends PageLocals {}
}
