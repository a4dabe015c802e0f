import type { Language } from '../../src/model/fields/language.ts';

/** The texts of the page that verifies evidence packs. */
export type VerifyWords = {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly formTitle: string;
  readonly pack: string;
  readonly packHint: string;
  /** The heading of the fields for further files. */
  readonly more: string;
  readonly keys: string;
  readonly keysHint: string;
  readonly heads: string;
  readonly headsHint: string;
  readonly consistency: string;
  readonly consistencyHint: string;
  readonly withoutScript: string;
  /** `%s` stands for the name of a file. */
  readonly checking: string;
  readonly oldBrowser: string;
  readonly unreadable: string;
  readonly aboutTitle: string;
  readonly about: readonly string[];
  readonly ownTitle: string;
  readonly own: string;
  readonly ownPage: string;
  readonly ownProgram: string;
  readonly otherLanguage: string;
};

const en: VerifyWords = {
  title: 'Check an evidence pack',
  description:
    'Check the proof of a consent yourself, in your browser. No account, nothing is uploaded, and it works without a network.',
  lead: 'See whether the proof of a consent is genuine and unchanged. The check runs in your browser: the pack never leaves your computer.',
  formTitle: 'Your pack',
  pack: 'Evidence pack',
  packHint: 'A ZIP file. Choose it, or drop it on the field below.',
  more: 'Compare with files that you kept',
  keys: 'Keys of the issuer',
  keysHint: 'keys.json from a place that you trust',
  heads: 'State of the log',
  headsHint: 'head.jws, as you or someone else saved it',
  consistency: 'Proof between two states',
  consistencyHint: 'from the issuer’s /.well-known/evidence/consistency',
  withoutScript: 'This check runs as a script in your browser, and scripts are turned off.',
  checking: 'Checking…',
  oldBrowser:
    'This browser is too old to check signatures, or the page was not opened over a secure connection. Use a current version of Chrome, Edge, Firefox or Safari.',
  unreadable: '%s could not be read. It is not the file that is asked for here.',
  aboutTitle: 'What this does',
  about: [
    'It compares every byte of the pack with what was signed.',
    'It checks that the records are in a public log that cannot be changed unseen.',
    'It says what is proven, by whom, and what is not.',
  ],
  ownTitle: 'Keep your own copy',
  own: 'This check as a file for your records. It works without us and without a network.',
  ownPage: 'One page (HTML)',
  ownProgram: 'A program for Node.js',
  otherLanguage: 'Español',
};

const es: VerifyWords = {
  title: 'Comprobar un paquete de pruebas',
  description:
    'Compruebe usted mismo la prueba de un consentimiento, en su navegador. Sin cuenta, sin subir nada y también sin conexión.',
  lead: 'Vea si la prueba de un consentimiento es auténtica y no ha cambiado. Todo ocurre en su navegador: el paquete no sale de su computadora.',
  formTitle: 'Su paquete',
  pack: 'Paquete de pruebas',
  packHint: 'Un archivo ZIP. Elíjalo o arrástrelo al campo de abajo.',
  more: 'Comparar con archivos que usted guardó',
  keys: 'Claves del emisor',
  keysHint: 'keys.json de un lugar de confianza',
  heads: 'Estado del registro',
  headsHint: 'head.jws, como usted u otra persona lo guardó',
  consistency: 'Prueba entre dos estados',
  consistencyHint: 'de /.well-known/evidence/consistency, en el sitio del emisor',
  withoutScript:
    'Esta comprobación es un script de su navegador, y los scripts están desactivados.',
  checking: 'Comprobando…',
  oldBrowser:
    'Este navegador es demasiado antiguo para comprobar firmas, o la página no se abrió con una conexión segura. Use una versión actual de Chrome, Edge, Firefox o Safari.',
  unreadable: '%s no se pudo leer. No es el archivo que se pide aquí.',
  aboutTitle: 'Qué hace esta página',
  about: [
    'Compara cada byte del paquete con lo que se firmó.',
    'Comprueba que los datos están en un registro público que no se puede cambiar sin que se note.',
    'Dice qué está probado, por quién, y qué no.',
  ],
  ownTitle: 'Guarde su propia copia',
  own: 'Esta comprobación como archivo para su expediente. Funciona sin nosotros y sin conexión.',
  ownPage: 'Una página (HTML)',
  ownProgram: 'Un programa para Node.js',
  otherLanguage: 'English',
};

export const verifyWords: Readonly<Record<Language, VerifyWords>> = { en, es };
