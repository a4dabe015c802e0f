/** What a survey says about the visitor’s US state. Few visitors need it, so the page’s JSON omits it. */
export const stateWords = {
  en: {
    label: 'If the zip code is right, choose your state.',
    outside: 'Outside the states (Puerto Rico, Guam, military)',
    closed:
      'Because of the rules for {state}, we can’t pass your answers to a law firm now. If you go on, we only save them. Here’s who can help you find a lawyer.',
    goOn: 'Go on without a law firm',
    accepted: 'For now, no law firm gets your answers.',
    // Replace the two texts above before the visitor has said where they live.
    closedIf:
      'If you live in {state}, the rules there keep us from passing your answers to a law firm now. If you go on, we only save them. Here’s who can help you find a lawyer.',
    acceptedIf: 'If you live in {state}, no law firm gets your answers for now.',
  },
  es: {
    label: 'Si el código postal es correcto, elija su estado.',
    outside: 'Fuera de los estados (Puerto Rico, Guam, militar)',
    closed:
      'Por las reglas para {state}, ahora no podemos pasar sus respuestas a un bufete de abogados. Si sigue, solo las guardamos. Aquí le decimos quién puede ayudarle a encontrar abogado.',
    goOn: 'Seguir sin bufete',
    accepted: 'Por ahora, ningún bufete recibe sus respuestas.',
    closedIf:
      'Si usted vive en {state}, las reglas de allí no nos dejan pasar ahora sus respuestas a un bufete de abogados. Si sigue, solo las guardamos. Aquí le decimos quién puede ayudarle a encontrar abogado.',
    acceptedIf: 'Si usted vive en {state}, por ahora ningún bufete recibe sus respuestas.',
  },
};

/** What the privacy policy says about states whose rules restrict the sale of leads. */
export const closedStatesPolicy = {
  en: {
    named:
      'What you send from {states} goes only to a law firm that you chose by name. If you chose none, no firm gets it, and the page tells you.',
    none: 'What you send from {states} goes to no law firm, and the page tells you.',
  },
  es: {
    named:
      'Lo que envía desde {states} va solo a un bufete que usted eligió por nombre. Si no eligió ninguno, ningún bufete lo recibe, y la página se lo dice.',
    none: 'Lo que envía desde {states} no va a ningún bufete, y la página se lo dice.',
  },
} as const;
