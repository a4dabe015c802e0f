/** Words of the guidance beside a question (docs/specification.md#guidance). */
export const guidanceWords = {
  en: {
    title: 'Good to know now',
    // The usual deadline to sue. `day` is a date or a number of years.
    deadline: 'If it happened in {state}, you usually have until {day} to sue.',
    earliest:
      'If it happened in {state}, you usually have at least until {day} to sue. You gave only the month, so this is the earliest date.',
    years: 'If it happened in {state}, you usually have {day} from the accident to sue.',
    over: 'If it happened in {state}, the usual time to sue has probably ended ({day}). Some people have more time, so ask a lawyer now.',
    near: 'Time is short. Talk to a lawyer now, even if you’re not sure.',
    source: 'Source: {source}',
    // If the state is not known yet.
    range:
      'How long you have to sue depends on the state where it happened: usually {shortest} to {longest} from the day of the accident.',
    strictest: 'In the state with the shortest time, you have until {day}.',
    someNear: 'In some states that time ends soon or is over. Talk to a lawyer now.',
    byState: 'Show all states',
    laws: { text: 'The law of each state', href: '/car-accident-laws/#deadlines' },
    now: 'What to do now',
    steps: {
      doctor: 'See a doctor, and say it was a car accident.',
      doctorIfNone: 'Not seen a doctor yet? Go, and say it was a car accident.',
      doctorIfPain: 'Pain can start days later. If it does, see a doctor and say why.',
      bills: 'Go to every appointment, and keep the bills.',
      askForReport:
        'Ask the police if you can still report it. If not, write down today what happened.',
      copyReport: 'Ask the police for a copy of their report.',
      // After a hit and run whose driver is not found.
      reportNow: 'Report it to the police today. Say that the driver left.',
      askCameras: 'Ask shops and neighbors for camera video today, and who saw it.',
      ownPolicy:
        'Your own insurance may pay: look for “uninsured motorist” (UM). Keep your photos.',
      keepPhotos: 'Keep your photos. Sign nothing yet for the other driver’s insurer.',
    },
    asked: 'What law firms usually ask',
    questions: [
      'Where and when it happened, and who saw it',
      'Where it hurts, which doctors you saw, and who is insured',
    ],
    note: 'General information, not legal advice. To claim from a city or a state, you often have only months.',
  },
  es: {
    title: 'Conviene saberlo ya',
    deadline: 'Si fue en {state}, por lo general tiene hasta el {day} para demandar.',
    earliest:
      'Si fue en {state}, por lo general tiene al menos hasta el {day} para demandar. Usted dio solo el mes: esta es la primera fecha posible.',
    years: 'Si fue en {state}, por lo general tiene {day} desde el accidente para demandar.',
    over: 'Si fue en {state}, es probable que el plazo para demandar ya haya vencido ({day}). Algunas personas tienen más tiempo: pregunte ya a un abogado.',
    near: 'Queda poco tiempo. Hable ya con un abogado, aunque tenga dudas.',
    source: 'Fuente: {source}',
    range:
      'El plazo para demandar depende del estado donde fue: por lo general, de {shortest} a {longest} desde el día del accidente.',
    strictest: 'En el estado con el plazo más corto tiene hasta el {day}.',
    someNear: 'En algunos estados queda poco tiempo o el plazo ya venció. Hable ya con un abogado.',
    byState: 'Ver todos los estados',
    laws: { text: 'La ley de cada estado', href: '/es/leyes-de-accidentes-de-auto/#deadlines' },
    now: 'Qué hacer ahora',
    steps: {
      doctor: 'Vaya al doctor y diga que fue un accidente de auto.',
      doctorIfNone: '¿Aún no ha ido al doctor? Vaya y diga que fue un accidente de auto.',
      doctorIfPain:
        'El dolor puede empezar días después. Si le duele, vaya al doctor y diga por qué.',
      bills: 'No falte a sus citas y guarde los recibos.',
      askForReport:
        'Pregunte a la policía si todavía puede reportarlo. Si no, escriba hoy lo que pasó.',
      copyReport: 'Pida a la policía una copia de su reporte.',
      reportNow: 'Repórtelo hoy a la policía. Diga que el otro conductor huyó.',
      askCameras: 'Pida hoy videos de cámaras a tiendas y vecinos, y pregunte quién lo vio.',
      ownPolicy:
        'Su propio seguro quizá pague: busque “uninsured motorist” (UM). Guarde sus fotos.',
      keepPhotos: 'Guarde sus fotos. No firme nada todavía para la otra aseguradora.',
    },
    asked: 'Qué suelen preguntar los bufetes',
    questions: [
      'Dónde y cuándo fue, y quién lo vio',
      'Dónde le duele, qué doctores le atendieron y quién tiene seguro',
    ],
    note: 'Información general, no asesoría legal. Para reclamar a una ciudad o a un estado, muchas veces tiene solo unos meses.',
  },
};
