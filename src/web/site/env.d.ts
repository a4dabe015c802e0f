/// <reference types="astro/client" />

type PageLocals = import('../../model/messages/site-settings.ts').PageLocals;

declare namespace App {
  /** The inputs of every page, in addition to its URL. The server provides them (astro-pages.ts). */
  interface Locals extends PageLocals {}
}
