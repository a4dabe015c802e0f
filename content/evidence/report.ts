/** The texts of the verifier's report. Values of the pack replace `{…}`. */

import type { Check, CheckId, Report } from '../../src/model/evidence/formats.ts';
import type { Language } from '../../src/model/fields/language.ts';

type Texts<Key extends string> = Readonly<Record<Key, string>>;

export type ReportWords = {
  readonly verdicts: Readonly<Record<Report['verdict'], Texts<'title' | 'text'>>>;
  /** The title if no check failed but some checks were not possible. */
  readonly partly: string;
  readonly outcomes: Texts<Check['outcome']>;
  /** `notChecked` is the text for a skipped check. */
  readonly checks: Readonly<
    Record<CheckId, Texts<'name' | 'passed' | 'failed'> & { readonly notChecked?: string }>
  >;
  /** The names of the facts, in the order of the report. */
  readonly facts: Texts<FactId>;
  readonly titles: Texts<'checks' | 'facts' | 'claims' | 'notProven' | 'details'>;
  readonly notProven: readonly string[];
  readonly notReached: string;
  readonly none: string;
};

export type FactId =
  | 'issuer'
  | 'leadId'
  | 'revision'
  | 'person'
  | 'text'
  | 'version'
  | 'page'
  | 'shownAt'
  | 'givenAt'
  | 'how'
  | 'seen'
  | 'receivedAt'
  | 'address'
  | 'deliveries'
  | 'recipient'
  | 'log'
  | 'madeAt'
  | 'kid';

const en: ReportWords = {
  verdicts: {
    proven: {
      title: 'This pack is genuine and unchanged',
      text: 'It was signed by {issuer}, with a key from {from}. Everything that was checked passed.',
    },
    unconfirmed: {
      title: 'Nothing is wrong, but the proof is not complete',
      text: 'The pack fits together, but one thing that you need to rely on it was not checked. Anyone can make a pack with keys of their own. See “not checked” below.',
    },
    failed: {
      title: 'Do not rely on this pack',
      text: 'At least one check failed. The pack was changed, damaged, or is not what it says. Ask for a new copy.',
    },
  },
  partly: 'Genuine, as far as it was checked',
  outcomes: { passed: 'passed', failed: 'failed', 'not-checked': 'not checked' },
  checks: {
    container: {
      name: 'The file',
      passed: 'The file could be unpacked, and is complete.',
      failed: 'The file is damaged, or is not a complete pack.',
    },
    files: {
      name: 'The contents',
      passed: 'Every file is exactly as listed. None is missing, and none was added.',
      failed: 'A file, or the list of files, was changed, removed or added.',
    },
    signature: {
      name: 'The signature',
      passed: 'The list of files was signed, and was not changed since.',
      failed: 'The signature does not belong to this list of files.',
    },
    signer: {
      name: 'Who signed',
      passed:
        'It was signed with keys of {issuer} that were valid then, as the keys from {from} show.',
      failed:
        'It was not signed with a valid key from {from}. Someone else may have made it, or the key had ended.',
      notChecked:
        'Who signed is not known: there were no keys from a place that you trust. Get them from the issuer’s site, at /.well-known/evidence/keys.json.',
    },
    log: {
      name: 'Entries in the log',
      passed:
        'The lead, the consent and the deliveries are in the public log exactly as in this pack. The issuer signed its state: {size} entries.',
      failed:
        'At least one record is not in the log as this pack shows it, or the issuer did not sign that state of the log.',
    },
    record: {
      name: 'The records',
      passed: 'All records are of the same lead, and say the same in every file.',
      failed: 'The records are not all of this lead, or two files say different things.',
    },
    times: {
      name: 'The order of times',
      passed: 'The times follow one another: shown, agreed, received, logged, packed.',
      failed: 'The times contradict one another.',
    },
    history: {
      name: 'The log, compared with what you kept',
      passed: 'The log is the one whose state you kept. Nothing in it was rewritten.',
      failed: 'The log is not the one whose state you kept, or its history was rewritten.',
      notChecked:
        'Whether the log was rewritten since was not checked. This needs a state of the log that you or someone else kept and, if it is older or newer, the proof from /.well-known/evidence/consistency.',
    },
  },
  facts: {
    issuer: 'Issuer',
    leadId: 'Lead',
    revision: 'Revision',
    person: 'Person',
    text: 'Text that was agreed to',
    version: 'Version of the text',
    page: 'Page',
    shownAt: 'Text shown at (visitor’s clock)',
    givenAt: 'Agreed at (visitor’s clock)',
    how: 'How the form was sent',
    seen: 'Text in view: part, time as a whole, font size, contrast',
    receivedAt: 'Received by the server at',
    address: 'Internet address',
    deliveries: 'Sent to',
    recipient: 'Pack made for',
    log: 'Log, entries, time, root',
    madeAt: 'Pack made at',
    kid: 'Signing key',
  },
  titles: {
    checks: 'What was checked',
    facts: 'What the pack proves was recorded',
    claims: 'What the pack says (not proven)',
    notProven: 'What no pack can prove',
    details: 'Technical details',
  },
  notProven: [
    'Who sat at the keyboard: that the person named is the person who agreed.',
    'That a call or message to this person is lawful.',
    'How the page looked beside the consent text, and what the visitor saw of it: the measurements are the word of the browser.',
    'The times of the visitor’s own clock. The times of the server are the issuer’s word until they are in a state of the log that someone else kept.',
    'That the issuer recorded everything. The log shows what was recorded, and that it was not changed afterwards.',
  ],
  notReached: 'Not reached: an earlier check failed.',
  none: 'none',
};

const es: ReportWords = {
  verdicts: {
    proven: {
      title: 'Este paquete es auténtico y no ha cambiado',
      text: 'Lo firmó {issuer}, con una clave de {from}. Todo lo que se comprobó es correcto.',
    },
    unconfirmed: {
      title: 'No hay nada incorrecto, pero la prueba no está completa',
      text: 'El paquete concuerda, pero no se comprobó algo que usted necesita para confiar en él. Cualquiera puede hacer un paquete con sus propias claves. Vea abajo «no comprobado».',
    },
    failed: {
      title: 'No confíe en este paquete',
      text: 'Al menos una comprobación falló. El paquete fue cambiado, está dañado o no es lo que dice. Pida otra copia.',
    },
  },
  partly: 'Auténtico, hasta donde se comprobó',
  outcomes: { passed: 'correcto', failed: 'falló', 'not-checked': 'no comprobado' },
  checks: {
    container: {
      name: 'El archivo',
      passed: 'El archivo se pudo abrir y está completo.',
      failed: 'El archivo está dañado o no es un paquete completo.',
    },
    files: {
      name: 'El contenido',
      passed: 'Cada archivo es exactamente como dice la lista. No falta ni sobra ninguno.',
      failed: 'Un archivo, o la lista de archivos, fue cambiado, quitado o agregado.',
    },
    signature: {
      name: 'La firma',
      passed: 'La lista de archivos fue firmada y no ha cambiado desde entonces.',
      failed: 'La firma no corresponde a esta lista de archivos.',
    },
    signer: {
      name: 'Quién firmó',
      passed:
        'Se firmó con claves de {issuer} que eran válidas entonces, como muestran las claves de {from}.',
      failed:
        'No se firmó con una clave válida de {from}. Puede ser de otra persona, o la clave ya había terminado.',
      notChecked:
        'No se sabe quién firmó: no había claves de un lugar de confianza. Descárguelas del sitio del emisor, en /.well-known/evidence/keys.json.',
    },
    log: {
      name: 'Las entradas del registro',
      passed:
        'La solicitud, el consentimiento y los envíos están en el registro público exactamente como en este paquete. El emisor firmó su estado: {size} entradas.',
      failed:
        'Al menos un dato no está en el registro como lo muestra este paquete, o el emisor no firmó ese estado del registro.',
    },
    record: {
      name: 'Los datos',
      passed: 'Todos los datos son de la misma solicitud y dicen lo mismo en cada archivo.',
      failed: 'No todos los datos son de esta solicitud, o dos archivos dicen cosas distintas.',
    },
    times: {
      name: 'El orden de las horas',
      passed: 'Las horas siguen su orden: mostrado, aceptado, recibido, registrado, empaquetado.',
      failed: 'Las horas se contradicen.',
    },
    history: {
      name: 'El registro, comparado con lo que usted guardó',
      passed: 'El registro es el mismo cuyo estado usted guardó. Nada en él fue reescrito.',
      failed: 'El registro no es el mismo cuyo estado usted guardó, o su historia fue reescrita.',
      notChecked:
        'No se comprobó si el registro fue reescrito después. Para eso hace falta un estado del registro que usted u otra persona haya guardado y, si es anterior o posterior, la prueba de /.well-known/evidence/consistency.',
    },
  },
  facts: {
    issuer: 'Emisor',
    leadId: 'Solicitud',
    revision: 'Revisión',
    person: 'Persona',
    text: 'Texto que se aceptó',
    version: 'Versión del texto',
    page: 'Página',
    shownAt: 'Texto mostrado (reloj del visitante)',
    givenAt: 'Aceptado (reloj del visitante)',
    how: 'Cómo se envió el formulario',
    seen: 'Texto a la vista: parte, tiempo entero, tamaño de letra, contraste',
    receivedAt: 'Recibido por el servidor',
    address: 'Dirección de internet',
    deliveries: 'Enviado a',
    recipient: 'Paquete hecho para',
    log: 'Registro, entradas, hora, raíz',
    madeAt: 'Paquete hecho',
    kid: 'Clave de la firma',
  },
  titles: {
    checks: 'Qué se comprobó',
    facts: 'Lo que, según prueba el paquete, se registró',
    claims: 'Lo que dice el paquete (sin prueba)',
    notProven: 'Lo que ningún paquete puede probar',
    details: 'Detalles técnicos',
  },
  notProven: [
    'Quién estaba ante el teclado: que la persona nombrada es quien aceptó.',
    'Que una llamada o un mensaje a esta persona es legal.',
    'Cómo se veía la página junto al texto, y qué vio de ella el visitante: las medidas son palabra de su navegador.',
    'Las horas del reloj del visitante. Las horas del servidor son palabra del emisor hasta que estén en un estado del registro que otra persona haya guardado.',
    'Que el emisor registró todo. El registro muestra lo que se registró, y que no se cambió después.',
  ],
  notReached: 'No se llegó a esto: una comprobación anterior falló.',
  none: 'ninguno',
};

export const reportWords: Readonly<Record<Language, ReportWords>> = { en, es };
