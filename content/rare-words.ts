/** Words of survey screens that few visitors see. The JSON of a page omits them. */
export const rareWords = {
  en: {
    choice: {
      label: 'If the zip code is right, choose your state.',
      outside: 'Outside the states (Puerto Rico, Guam, military)',
    },
    // The screen that replaces a contact step if no law firm may get the answers or wants them.
    early: {
      title: 'Before you go on',
      date: 'This accident was probably too long ago for our firms. Another lawyer may see it differently. Here’s who can help.',
      fault:
        'Our firms help people hurt through someone else’s fault, so they probably can’t take this case. Another lawyer may see it differently. Here’s who can help.',
      state:
        'Because of the rules for {state}, we can’t pass your answers to a law firm now. If you go on, we only save them. Here’s who can help you find a lawyer.',
      accepted: 'For now, no law firm gets your answers.',
      was: 'In {state}, the usual deadline for a claim like this was {day}.',
      is: 'In {state}, the usual deadline for a claim like this is {day}.',
      askBar: 'Ask the {state} bar association',
      askDirectory: 'Find legal help in your state',
      send: 'Still send my answers',
      goOn: 'Go on without a law firm',
    },
    // Replace the two texts above before the visitor has said where they live.
    stateUnsure: {
      state:
        'If you live in {state}, the rules there keep us from passing your answers to a law firm now. If you go on, we only save them. Here’s who can help you find a lawyer.',
      accepted: 'If you live in {state}, no law firm gets your answers for now.',
    },
  },
  es: {
    choice: {
      label: 'Si el código postal es correcto, elija su estado.',
      outside: 'Fuera de los estados (Puerto Rico, Guam, militar)',
    },
    early: {
      title: 'Antes de seguir',
      date: 'Es probable que para nuestros bufetes ya haya pasado demasiado tiempo. Otro abogado puede verlo de otra manera. Aquí le decimos quién puede ayudarle.',
      fault:
        'Nuestros bufetes ayudan a quien se lastimó por culpa de otra persona, así que lo más probable es que no tomen este caso. Otro abogado puede verlo de otra manera. Aquí le decimos quién puede ayudarle.',
      state:
        'Por las reglas para {state}, ahora no podemos pasar sus respuestas a un bufete de abogados. Si sigue, solo las guardamos. Aquí le decimos quién puede ayudarle a encontrar abogado.',
      accepted: 'Por ahora, ningún bufete recibe sus respuestas.',
      was: 'En {state}, el plazo normal para un reclamo así venció {day}.',
      is: 'En {state}, el plazo normal para un reclamo así vence {day}.',
      askBar: 'Preguntar al colegio de abogados de {state}',
      askDirectory: 'Buscar ayuda legal en su estado',
      send: 'Enviar mis respuestas de todos modos',
      goOn: 'Seguir sin bufete',
    },
    stateUnsure: {
      state:
        'Si usted vive en {state}, las reglas de allí no nos dejan pasar ahora sus respuestas a un bufete de abogados. Si sigue, solo las guardamos. Aquí le decimos quién puede ayudarle a encontrar abogado.',
      accepted: 'Si usted vive en {state}, por ahora ningún bufete recibe sus respuestas.',
    },
  },
};
