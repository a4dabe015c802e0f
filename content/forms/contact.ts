import type { ContactField } from '../../src/model/fields/contact-form.ts';
import type { Language } from '../../src/model/fields/language.ts';

/** The texts of the contact page. */
export type ContactWords = {
  readonly title: string;
  readonly metaTitle: string;
  readonly description: string;
  readonly lead: string;
  readonly ways: string;
  readonly callTitle: string;
  readonly callText: string;
  readonly mailTitle: string;
  readonly mailText: string;
  readonly formTitle: string;
  readonly labels: Readonly<Record<ContactField, string>>;
  readonly choose: string;
  /** The labels of the choices, by posted value. */
  readonly accidents: Readonly<Record<string, string>>;
  /** An example of an answer, beside the field's label. */
  readonly hints: Readonly<Partial<Record<ContactField, string>>>;
  /** The error texts, which only screen readers read. */
  readonly errors: Readonly<Record<ContactField, string>>;
  /** The questions about values that look mistyped. */
  readonly doubts: Readonly<Record<'name' | 'email', string>>;
  /** The button that accepts the suggested e-mail address. */
  readonly correct: string;
  /** `%s` stands for the number of characters above the limit. */
  readonly messageOver: string;
  /** Precedes the page title if the form has an error. */
  readonly notSent: string;
  readonly allNeeded: string;
  readonly next: string;
  readonly submit: string;
  readonly unsaved: string;
  readonly sentTitle: string;
  readonly sentText: string;
  readonly sentNext: readonly string[];
};

const en: ContactWords = {
  title: 'Get in touch',
  metaTitle: 'Contact us',
  description:
    'Ask a question about your accident, or about this site: by phone, by email, or with a short form. Free, and you owe us nothing.',
  lead: 'Ask about your accident, or about this site. A person reads your message. Up to five law firms that take cases like yours may get it and call you.',
  ways: 'Ways to reach us',
  callTitle: 'Call',
  callText: 'Free. We ask what happened and tell you what comes next.',
  mailTitle: 'Write',
  mailText: 'Please don’t send medical records by email.',
  formTitle: 'Send a message',
  labels: {
    typeOfAccident: 'Type of accident',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    phoneNumber: 'Phone number',
    message: 'Your message',
  },
  choose: 'Please choose',
  accidents: {
    'Car Accident': 'Car accident',
    'Truck Accident': 'Truck accident',
    'Bicycle Accident': 'Bicycle accident',
    'Motorcycle Accident': 'Motorcycle accident',
    'Pedestrian Accident': 'Hit while walking',
    Other: 'Other',
  },
  hints: { email: 'like name@example.com', phoneNumber: '10 digits' },
  errors: {
    typeOfAccident: 'Choose the type of accident.',
    firstName: 'Enter your first name.',
    lastName: 'Enter your last name.',
    email: 'Enter an email address like name@example.com.',
    phoneNumber: 'Enter a 10-digit phone number.',
    message: 'Write your message, up to 2,000 characters.',
  },
  doubts: {
    name: 'This name has a number in it. If that’s right, send the message again.',
    email: 'Did you mean {email}? If yours is right, send the message again.',
  },
  correct: 'Yes, change it',
  messageOver: 'Too long by %s. At most 2,000 characters.',
  notSent: 'Not sent yet: ',
  allNeeded: 'All fields are required.',
  next: 'What happens next: we keep your message, and up to five law firms that take cases like yours may get it, call and text you, and pay us. It costs you nothing.',
  submit: 'Send message',
  unsaved:
    'We couldn’t save your message just now. What you typed is still here: please send it again in a minute, or call {phone}.',
  sentTitle: 'Form was submitted',
  sentText: 'Thank you. We have your message, and there’s nothing more you need to do.',
  sentNext: [
    'Up to five law firms that take cases like yours may call you, usually within one working day. They can’t if your state’s rules keep your message from them.',
    'You can tell any caller to stop, or reply STOP to a text.',
    'Urgent? Call {phone}.',
  ],
};

const es: ContactWords = {
  title: 'Contáctenos',
  metaTitle: 'Contacto',
  description:
    'Haga una pregunta sobre su accidente o sobre este sitio: por teléfono, por correo electrónico o con un formulario corto. Gratis y sin compromiso.',
  lead: 'Pregunte sobre su accidente o sobre este sitio. Una persona lee su mensaje. Hasta cinco bufetes que toman casos como el suyo pueden recibirlo y llamarle.',
  ways: 'Cómo comunicarse con nosotros',
  callTitle: 'Llame',
  callText: 'Gratis. Le preguntamos qué pasó y le decimos qué sigue.',
  mailTitle: 'Escriba',
  mailText: 'Por favor, no envíe documentos médicos por correo electrónico.',
  formTitle: 'Envíe un mensaje',
  labels: {
    typeOfAccident: 'Tipo de accidente',
    firstName: 'Nombre',
    lastName: 'Apellido',
    email: 'Correo electrónico',
    phoneNumber: 'Número de teléfono',
    message: 'Su mensaje',
  },
  choose: 'Elija una opción',
  accidents: {
    'Car Accident': 'Accidente de auto',
    'Truck Accident': 'Accidente de camión',
    'Bicycle Accident': 'Accidente de bicicleta',
    'Motorcycle Accident': 'Accidente de motocicleta',
    'Pedestrian Accident': 'Me atropellaron',
    Other: 'Otro',
  },
  hints: { email: 'como nombre@ejemplo.com', phoneNumber: '10 dígitos' },
  errors: {
    typeOfAccident: 'Elija el tipo de accidente.',
    firstName: 'Escriba su nombre.',
    lastName: 'Escriba su apellido.',
    email: 'Escriba un correo electrónico como nombre@ejemplo.com.',
    phoneNumber: 'Escriba un teléfono de 10 dígitos.',
    message: 'Escriba su mensaje, de hasta 2,000 caracteres.',
  },
  doubts: {
    name: 'Este nombre tiene un número. Si es correcto, envíe el mensaje otra vez.',
    email: '¿Quiso decir {email}? Si el suyo es correcto, envíe el mensaje otra vez.',
  },
  correct: 'Sí, corregirlo',
  messageOver: 'Se pasa por %s. Máximo: 2,000 caracteres.',
  notSent: 'Todavía no se envió: ',
  allNeeded: 'Llene todos los campos.',
  next: 'Qué sigue: guardamos su mensaje, y hasta cinco bufetes que toman casos como el suyo pueden recibirlo, llamarle y escribirle, y nos pagan por ello. A usted no le cuesta nada.',
  submit: 'Enviar mensaje',
  unsaved:
    'En este momento no pudimos guardar su mensaje. Lo que escribió sigue aquí: envíelo otra vez en un minuto o llame al {phone}.',
  sentTitle: 'El formulario fue enviado',
  sentText: 'Gracias. Tenemos su mensaje y usted no tiene que hacer nada más.',
  sentNext: [
    'Hasta cinco bufetes que toman casos como el suyo pueden llamarle, por lo general en un día hábil. No lo harán si las reglas de su estado no nos dejan pasarles su mensaje.',
    '¿Ya no quiere llamadas? Dígaselo a quien le llame. A los mensajes, responda STOP.',
    '¿Es urgente? Llame al {phone}.',
  ],
};

export const contactWords: Readonly<Record<Language, ContactWords>> = { en, es };
