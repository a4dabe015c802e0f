/// <reference types="astro/client" />

type PageLocals = import('../../model/messages/site-settings.ts').PageLocals;

declare namespace App {
  interface Locals extends PageLocals {}
}
