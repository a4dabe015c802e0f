import type { Language } from '../../src/model/fields/language.ts';
import type { OptOutField } from '../../src/model/fields/opt-out-form.ts';

/** The texts of the do-not-sell page. `{given}` stands for the text that the visitor typed. */
export type DoNotSellWords = {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  /** Shown to browsers with the opt-out signal, if law firms still receive the lead. */
  readonly signalOn: string;
  /** Shown to browsers with the opt-out signal, if law firms do not receive the lead. */
  readonly signalWithheld: string;
  readonly signalOff: string;
  readonly formTitle: string;
  readonly formHint: string;
  readonly labels: Readonly<Record<OptOutField, string>>;
  readonly optional: string;
  readonly noState: string;
  readonly errors: Readonly<Record<OptOutField, string>>;
  readonly notSent: string;
  readonly wrong: string;
  readonly unsaved: string;
  readonly submit: string;
  readonly doneTitle: string;
  readonly doneAt: string;
  readonly done: readonly string[];
  /** The title if an operator must review the request. */
  readonly waitingTitle: string;
  readonly waiting: readonly string[];
  readonly meansTitle: string;
  readonly means: readonly string[];
  readonly otherTitle: string;
  readonly other: string;
};

const en: DoNotSellWords = {
  title: 'Do not sell or share my information',
  description:
    'Tell us not to sell or share your personal information. One form, no account. It counts from the moment you send it.',
  lead: 'One form, no account, no proof of who you are. It counts from the moment you send it, in every state.',
  signalOn:
    'Your browser sends the opt-out signal (Global Privacy Control), and we honor it on every page: no tracker or ad service is loaded, and no advertiser or data partner gets what you send. If you ask law firms to call you, they still get your answers, because you asked. Use the form if no firm should get anything under your email address or phone number.',
  signalWithheld:
    'Your browser sends the opt-out signal (Global Privacy Control), and we honor it on every page: no tracker or ad service is loaded, and nothing you send from this browser goes to a law firm, an advertiser or a partner. Use the form too if you want this to count for your email address or phone number in any browser.',
  signalOff:
    'Your browser does not send the opt-out signal (Global Privacy Control). If you turn it on, we honor it on every page, without this form.',
  formTitle: 'Your request',
  formHint:
    'Enter your email address, your phone number, or both. That’s how we find your information.',
  labels: {
    name: 'Your name',
    email: 'Email',
    phone: 'Phone number',
    state: 'The state you live in',
  },
  optional: '(optional)',
  noState: 'I’d rather not say',
  errors: {
    name: 'Enter a shorter name.',
    email: 'Enter an email address like name@example.com, or a phone number.',
    phone: 'Enter a 10-digit phone number, or an email address.',
    state: 'Choose a state from the list.',
  },
  notSent: 'Not sent yet: ',
  wrong: 'Please check the fields in red, then send it again.',
  unsaved:
    'We couldn’t record your request just now. What you typed is still here: please send it again in a minute, or call {phone}.',
  submit: 'Do not sell or share my information',
  doneTitle: 'Done. Your request counts from now on.',
  doneAt: 'Recorded on {date}. Your reference is {reference}: keep it in case you have a question.',
  done: [
    'On our list now: {given}. Nothing under it is sold, shared or sent to anyone, now or later.',
    'Anything still waiting to be sent has been stopped.',
    'If a law firm already has your information, we tell it. It must stop calling and texting you within 10 business days.',
  ],
  waitingTitle: 'We have your request. A person will look at it first.',
  waiting: [
    'Many requests came from your internet connection this past hour, so this one doesn’t take effect by itself.',
    'We look at it within 15 working days. Need it sooner? Call or write to us.',
  ],
  meansTitle: 'What it means',
  means: [
    'No law firm, advertiser or partner gets your information from us, even if you fill in a form here later.',
    'You can still use everything on this site. Nobody treats you differently, and it costs nothing.',
    'It also takes back your consent to calls and texts. A law firm that already has your number must stop within 10 business days.',
    'Changed your mind? Write or call, and we’ll take you off the list.',
  ],
  otherTitle: 'Other ways to ask',
  other: 'By email to {email}, or by phone at {phone}. Someone you trust may ask for you.',
};

const es: DoNotSellWords = {
  title: 'No vendan ni compartan mi información',
  description:
    'Díganos que no vendamos ni compartamos su información personal. Un formulario, sin cuenta; vale desde el momento en que lo envía.',
  lead: 'Un formulario, sin cuenta y sin comprobar quién es usted. Vale desde el momento en que lo envía, en todos los estados.',
  signalOn:
    'Su navegador envía la señal de exclusión (Global Privacy Control) y la respetamos: en ninguna página se carga un rastreador ni un servicio de anuncios, y ningún anunciante ni empresa de datos recibe lo que envía. Si pide que los bufetes le llamen, ellos sí reciben sus respuestas, porque usted lo pide. Use el formulario si ningún bufete debe recibir nada con su correo o su teléfono.',
  signalWithheld:
    'Su navegador envía la señal de exclusión (Global Privacy Control) y la respetamos: en ninguna página se carga un rastreador ni un servicio de anuncios, y nada de lo que envíe desde este navegador va a un bufete, un anunciante o un socio. Use también el formulario si quiere que valga para su correo o su teléfono con cualquier navegador.',
  signalOff:
    'Su navegador no envía la señal de exclusión (Global Privacy Control). Si la activa, la respetamos en todas las páginas, sin este formulario.',
  formTitle: 'Su solicitud',
  formHint:
    'Escriba su correo electrónico, su número de teléfono o los dos. Así encontramos su información.',
  labels: {
    name: 'Su nombre',
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    state: 'El estado donde vive',
  },
  optional: '(opcional)',
  noState: 'Prefiero no decirlo',
  errors: {
    name: 'Escriba un nombre más corto.',
    email: 'Escriba un correo electrónico como nombre@ejemplo.com, o un número de teléfono.',
    phone: 'Escriba un teléfono de 10 dígitos o un correo electrónico.',
    state: 'Elija un estado de la lista.',
  },
  notSent: 'Todavía no se envió: ',
  wrong: 'Revise los campos en rojo y envíe la solicitud otra vez.',
  unsaved:
    'En este momento no pudimos registrar su solicitud. Lo que escribió sigue aquí: envíela otra vez en un minuto o llame al {phone}.',
  submit: 'No vendan ni compartan mi información',
  doneTitle: 'Listo. Su solicitud vale desde ahora.',
  doneAt:
    'Registrada el {date}. Su referencia es {reference}: guárdela por si tiene alguna pregunta.',
  done: [
    'Ya está en nuestra lista: {given}. Nada con ese dato se vende, se comparte ni se envía a nadie, ni ahora ni después.',
    'Detuvimos lo que todavía esperaba para enviarse.',
    'Si un bufete ya tiene su información, le avisamos. Debe dejar de llamarle y de enviarle mensajes en un plazo de 10 días hábiles.',
  ],
  waitingTitle: 'Tenemos su solicitud. Una persona la revisará primero.',
  waiting: [
    'En la última hora llegaron muchas solicitudes desde su conexión de internet, por eso esta no vale de inmediato.',
    'La revisamos dentro de 15 días hábiles. ¿La necesita antes? Llámenos o escríbanos.',
  ],
  meansTitle: 'Qué significa',
  means: [
    'Ningún bufete, anunciante o socio recibe su información de nosotros, aunque más adelante llene un formulario aquí.',
    'Puede seguir usando todo el sitio. Nadie le tratará de otra manera y no cuesta nada.',
    'También retira su consentimiento para llamadas y mensajes de texto. Un bufete que ya tenga su número debe detenerse en un plazo de 10 días hábiles.',
    '¿Cambió de opinión? Escríbanos o llámenos y quitamos sus datos de la lista.',
  ],
  otherTitle: 'Otras formas de pedirlo',
  other:
    'Por correo a {email} o por teléfono al {phone}. Alguien de su confianza puede pedirlo por usted.',
};

export const doNotSellWords: Readonly<Record<Language, DoNotSellWords>> = { en, es };
