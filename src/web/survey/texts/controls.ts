import { both } from './shared.ts';

/** Texts of buttons, notes and messages that many steps share. */
export const controls = {
  next: both('Continue', 'Continuar'),
  back: both('Back', 'Atrás'),
  startOver: both('Start over', 'Empezar de nuevo'),
  deleteAnswers: both('Yes, delete my answers', 'Sí, borrar mis respuestas'),
  // Shown to visitors who come back after sending a lead.
  sent: both(
    'You’ve already sent your answers, and there’s nothing more to do. Answering again starts a new claim.',
    'Usted ya envió sus respuestas y no tiene que hacer nada más. Si contesta otra vez, empieza un reclamo nuevo.',
  ),
  resumed: both(
    'Welcome back. You can pick up where you left off.',
    'Qué bueno que regresó. Puede seguir donde se quedó.',
  ),
  optional: both('optional', 'opcional'),
  correct: both('Use {email}', 'Usar {email}'),
  keepMine: both('Keep mine', 'Dejar el mío'),
  progress: both('Your progress', 'Su avance'),
  percent: both('{percent}% done', '{percent}% completado'),
  percentNoSign: both('{percent} of 100 done', '{percent} de 100 completado'),
  stageOf: both('{stage} · {position} of 4', '{stage} · {position} de 4'),
  choose: both('Choose', 'Elija'),
  dayUnknown: both('Not sure', 'No sé'),
  // Stands above the scenarios that write a sentence into the description.
  scenarios: both(
    'Tap what fits, or write one sentence.',
    'Toque lo que pasó o escriba una frase.',
  ),
  // Screen readers announce this after a tap on a scenario.
  written: both('Written: {sentence}', 'Escrito: {sentence}'),
  counter: both('{count} / {limit}', '{count} / {limit}'),
  counterLeft: both('About {left} characters left', 'Quedan unos {left} caracteres'),
  counterOver: both(
    'Too long by {over}. At most {limit} characters.',
    'Se pasa por {over}. Máximo: {limit} caracteres.',
  ),
  estimateNote: both(
    'Not an offer or a promise. What a claim is worth depends on its facts, and it can be nothing.',
    'No es una oferta ni una promesa. Lo que vale un reclamo depende de los hechos. Puede no valer nada.',
  ),
  firstQuestionHeader: both(
    'Free · No\u00a0fee\u00a0unless\u00a0you\u00a0win · Stop\u00a0at\u00a0any\u00a0time',
    'Gratis · Sin honorarios si no\u00a0gana · Pare\u00a0cuando\u00a0quiera',
  ),
  lastStepHeader: both('Last step', 'Último paso'),
  socialProof: both(
    'You’re not alone. People across the country start here after an accident.',
    'No le pasa solo a usted: gente de todo el país empieza aquí después de un accidente.',
  ),
  security: both(
    'Your answers are sent over a secure connection. Law firms that get them pay us, and call from their own numbers. The first call is free.',
    'Sus respuestas se envían por una conexión segura. Los bufetes que las reciben nos pagan y llaman desde sus propios números. La primera llamada es gratis.',
  ),
  // Shown if contact fields are prefilled (docs/specification.md#prefill).
  prefilled: both(
    'Anything already filled in came with the link you followed.',
    'Los datos que ya aparecen venían en el enlace que usted abrió.',
  ),
  callNow: both('Call {phone}', 'Llamar al {phone}'),
  sendingTitle: both('One moment, please', 'Un momento, por favor'),
  sendingStates: {
    sending: both('We’re sending your answers…', 'Estamos enviando sus respuestas…'),
    // This text must not say "sending", because the browser may be offline.
    saved: both(
      'Your answers are saved. One moment, please…',
      'Sus respuestas están guardadas. Un momento, por favor…',
    ),
    unsaved: both(
      'Please keep this page open. We couldn’t save your answers on this device, and we’re still sending them…',
      'Por favor, no cierre esta página. No pudimos guardar sus respuestas en este dispositivo y seguimos enviándolas…',
    ),
    // Shown by surveys that open the thank-you page only after the server has confirmed the lead.
    trying: both(
      'Your answers haven’t gone through yet. They’re safe on this device, and we’re still trying.',
      'Sus respuestas todavía no se han enviado. Están guardadas en este dispositivo y seguimos intentándolo.',
    ),
    offline: both(
      'You’re offline. Your answers are safe on this device. Keep this page open, and they go out as soon as you’re back online. You can also call us.',
      'No hay conexión. Sus respuestas están guardadas en este dispositivo. Deje esta página abierta y se enviarán en cuanto vuelva el internet. También puede llamarnos.',
    ),
    refused: both(
      'We couldn’t send your answers. Please call us at the number on this page.',
      'No pudimos enviar sus respuestas. Llámenos al número que aparece en esta página.',
    ),
  },
};

/** Texts of the dialog that verifies the phone number. */
export const code = {
  title: both('Check your phone', 'Revise su teléfono'),
  sending: both(
    'We are sending a code to {phone} by text message, only to confirm that it’s yours.',
    'Estamos enviando un código al {phone} por mensaje de texto, solo para confirmar que es suyo.',
  ),
  about: both(
    'We sent a code to {phone} by text message, only to confirm that it’s yours.',
    'Enviamos un código al {phone} por mensaje de texto, solo para confirmar que es suyo.',
  ),
  label: both('6-digit code', 'Código de 6 dígitos'),
  confirm: both('Confirm', 'Confirmar'),
  resend: both('Send a new code', 'Enviar otro código'),
  // Shown beside `resend` until the visitor may request a new code.
  resendIn: both('in {seconds} s', 'en {seconds} s'),
  change: both('Change the number', 'Cambiar el número'),
  skip: both(
    'I can’t get the code. Continue without it.',
    'No puedo recibir el código. Seguir sin él.',
  ),
  notes: {
    sent: both(
      'The code was sent. It can take a minute.',
      'El código ya salió. Puede tardar un minuto.',
    ),
    checking: both('Checking the code…', 'Estamos revisando el código…'),
    resendReady: both('You can ask for a new code now.', 'Ya puede pedir otro código.'),
  },
  errors: {
    tooShort: both('Enter all 6 digits of the code.', 'Escriba los 6 dígitos del código.'),
    wrong: both(
      'That’s not the code we sent. Check it and try again.',
      'Ese no es el código que enviamos. Revíselo e intente otra vez.',
    ),
    expired: both('This code has expired. Ask for a new one.', 'Este código ya venció. Pida otro.'),
    tooManyTries: both(
      'That was too many tries. Send a new code, or continue without it.',
      'Fueron demasiados intentos. Pida otro código o siga sin él.',
    ),
    tooManyCodes: both(
      'We can’t send more codes right now. Enter the last one, or continue without it.',
      'Por ahora no podemos enviar más códigos. Escriba el último o siga sin el código.',
    ),
    refused: both(
      'This number can’t get our texts. Change the number, or continue without the code.',
      'Este número no puede recibir nuestros mensajes. Cambie el número o siga sin el código.',
    ),
  },
};
