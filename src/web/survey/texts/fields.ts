import { compensationBands } from '../../../model/rules/compensation.ts';
import { controls } from './controls.ts';
import { both, chosen, type InBoth, type QuestionTexts } from './shared.ts';
import { steps } from './steps.ts';

const doubtfulName = both(
  'This name has a number in it. Fix it, or go on if it’s right.',
  'Este nombre tiene un número. Corríjalo o, si está bien, siga.',
);
const chooseOne = chosen(both('Choose an answer.', 'Elija una respuesta.'));

/** Returns the texts of a toggle field that asks the same question as a step. */
const asked = ({ question }: Pick<typeof steps.AtFault, 'question'>) => ({
  label: question,
  errors: chooseOne,
});

const tellMore = both(
  'Tell us a little more: at least 4 words and 20 characters.',
  'Cuéntenos un poco más: al menos 4 palabras y 20 letras.',
);
const fiveDigits = both(
  'Enter a US zip code: 5 digits.',
  'Escriba un código postal de EE. UU.: 5 dígitos.',
);
const phoneErrors = {
  too_short: both(
    'Enter all 10 digits of the phone number.',
    'Escriba los 10 dígitos del teléfono.',
  ),
  too_many_digits: both(
    'That’s more than 10 digits. A US phone number has 10.',
    'Son más de 10 dígitos. Un teléfono de Estados Unidos tiene 10.',
  ),
  area_code: both(
    'US area codes don’t start with 1. Check the number.',
    'Los códigos de área de Estados Unidos no empiezan con 1. Revise el número.',
  ),
  invalid: both(
    'That’s not a US phone number. Check each digit.',
    'Ese no es un teléfono de Estados Unidos. Revise cada dígito.',
  ),
  not_reachable: both(
    'This number doesn’t seem to work. Check each digit.',
    'Parece que este número no funciona. Revise cada dígito.',
  ),
};

export const fields: InBoth<QuestionTexts['fields']> = {
  injury_month: {
    label: both('Month', 'Mes'),
    errors: {
      ...chosen(both('Choose the month.', 'Elija el mes.')),
      in_future: both('Choose today or an earlier date.', 'Elija la fecha de hoy o una anterior.'),
    },
  },
  injury_year: {
    label: both('Year', 'Año'),
    errors: {
      ...chosen(both('Choose the year.', 'Elija el año.')),
      in_future: both('Choose today or an earlier date.', 'Elija la fecha de hoy o una anterior.'),
    },
  },
  injury_day: {
    label: both('Day', 'Día'),
    hint: both('if you know it', 'si lo sabe'),
    errors: {
      invalid: both('Choose a day of that month.', 'Elija un día de ese mes.'),
      in_future: both('Choose today or an earlier day.', 'Elija el día de hoy o uno anterior.'),
    },
  },
  current_compensation: {
    label: both('My estimate in dollars', 'Mi estimado en dólares'),
    errors: {
      required: both('Set the amount to your best guess.', 'Ponga la cantidad que le parezca.'),
      invalid: both('Enter an amount up to 250,000.', 'Escriba una cantidad de hasta 250,000.'),
    },
  },
  law_firm_name: {
    label: both('Name of the law firm', 'Nombre del bufete'),
    errors: {
      required: both('Enter the name of the law firm.', 'Escriba el nombre del bufete.'),
      too_long: both('Enter a shorter name.', 'Escriba un nombre más corto.'),
    },
  },
  law_firm_phone: {
    label: both('Phone number of the law firm', 'Teléfono del bufete'),
    errors: {
      required: both('Enter the law firm’s phone number.', 'Escriba el teléfono del bufete.'),
      ...phoneErrors,
    },
  },
  case_description: {
    label: both('What happened in the accident', 'Qué pasó en el accidente'),
    errors: {
      // The same words as above the scenarios.
      required: controls.scenarios,
      too_short: tellMore,
      too_few_words: tellMore,
      too_long: both('Make the text shorter.', 'Acorte el texto.'),
    },
  },
  hit_and_run: {
    label: both('Did the other driver leave the scene?', '¿El otro conductor se fue del lugar?'),
    errors: chosen(both('Choose yes or no.', 'Elija sí o no.')),
  },
  first_name: {
    label: both('First name', 'Nombre'),
    errors: {
      required: both('Enter your first name.', 'Escriba su nombre.'),
      too_long: both('Enter a shorter name.', 'Escriba un nombre más corto.'),
      doubtful: doubtfulName,
    },
  },
  last_name: {
    label: both('Last name', 'Apellido'),
    errors: {
      required: both('Enter your last name.', 'Escriba su apellido.'),
      too_long: both('Enter a shorter name.', 'Escriba un apellido más corto.'),
      doubtful: doubtfulName,
    },
  },
  email: {
    label: both('Email', 'Correo electrónico'),
    errors: {
      required: both('Enter your email address.', 'Escriba su correo electrónico.'),
      invalid: both(
        'Enter an email address like name@example.com.',
        'Escriba un correo como nombre@ejemplo.com.',
      ),
      no_at: both(
        'An email address needs an @, like name@example.com.',
        'Al correo le falta la @, como en nombre@ejemplo.com.',
      ),
      has_space: both(
        'An email address has no spaces. Take them out.',
        'Un correo no lleva espacios. Quítelos.',
      ),
      several: both('Enter only one email address.', 'Escriba un solo correo.'),
      too_long: both('Enter a shorter email address.', 'Escriba un correo más corto.'),
      not_reachable: both(
        'This address doesn’t seem to work. Check it for typos.',
        'Parece que este correo no funciona. Revise si tiene algún error.',
      ),
      doubtful: both('Did you mean {email}?', '¿Quiso decir {email}?'),
    },
  },
  phone: {
    label: both('Phone number', 'Número de teléfono'),
    errors: {
      required: both('Enter your phone number.', 'Escriba su número de teléfono.'),
      ...phoneErrors,
    },
  },
  call_language: {
    label: both('Language', 'Idioma'),
    empty: both('Either', 'Cualquiera'),
    errors: chooseOne,
  },
  call_time: {
    label: both('Best time', 'Mejor hora'),
    empty: both('Any time', 'Cualquiera'),
    errors: chooseOne,
  },
  zip_code: {
    label: both('Zip code', 'Código postal'),
    errors: {
      required: both('Enter your zip code.', 'Escriba su código postal.'),
      too_short: fiveDigits,
      invalid: fiveDigits,
      unknown_zip: both(
        'We can’t find this zip code. Check each digit.',
        'No encontramos este código postal. Revise cada dígito.',
      ),
    },
  },
  selected_buyers: {
    label: both('Tick each law firm that may call you.', 'Marque cada bufete que puede llamarle.'),
    ofOne: {
      question: both('May {firm} call you?', '¿Puede llamarle {firm}?'),
      yes: both('Yes', 'Sí'),
      no: both('No', 'No'),
    },
    waiting: both(
      'We’re looking for law firms in your area. This can take a few seconds.',
      'Estamos buscando bufetes en su zona. Puede tardar unos segundos.',
    ),
    errors: {
      required: both('Choose a law firm.', 'Elija un bufete.'),
      too_long: both('Choose fewer law firms.', 'Elija menos bufetes.'),
    },
  },
  date_of_birth_month: {
    label: both('Month', 'Mes'),
    errors: {
      ...chosen(both('Choose the month.', 'Elija el mes.')),
      in_future: both('Choose a date in the past.', 'Elija una fecha anterior a hoy.'),
    },
  },
  date_of_birth_day: {
    label: both('Day', 'Día'),
    errors: {
      required: both('Choose the day.', 'Elija el día.'),
      invalid: both('Choose a day of that month.', 'Elija un día de ese mes.'),
      in_future: both('Choose a date in the past.', 'Elija una fecha anterior a hoy.'),
    },
  },
  date_of_birth_year: {
    label: both('Year', 'Año'),
    errors: {
      required: both('Enter the year.', 'Escriba el año.'),
      invalid: both('Enter the year with 4 digits.', 'Escriba el año con 4 dígitos.'),
      in_future: both('Enter a year in the past.', 'Escriba un año que ya pasó.'),
    },
  },
  accident_type: { label: both('Type of accident', 'Tipo de accidente'), errors: chooseOne },
  accident_date_button: asked(steps.WhenWasTheAccident),
  at_Fault: asked(steps.AtFault),
  physical_injury: asked(steps.HowWasUserHurt),
  injury_type: asked(steps.WasUserInjured),
  police_report: asked(steps.PoliceReportFiled),
  with_Lawyer: asked(steps.HasLawyer),
  doctor_treatment: {
    label: both('Have you had medical care?', '¿Ha recibido atención médica?'),
    errors: chooseOne,
  },
  when_seek_medical_treatment: {
    label: both('When did you first get care?', '¿Cuándo recibió atención por primera vez?'),
    errors: chooseOne,
  },
  state_accident_occurred: {
    label: both('State', 'Estado'),
    errors: chosen(both('Choose the state.', 'Elija el estado.')),
  },
  address: {
    label: both('Street address', 'Dirección'),
    errors: {
      required: both('Enter your street address.', 'Escriba su dirección.'),
      too_long: both('Enter a shorter address.', 'Escriba una dirección más corta.'),
    },
  },
};

export const stages = {
  accident: both('Accident', 'Accidente'),
  injuries: both('Injuries', 'Lesiones'),
  case: both('Your case', 'Su caso'),
  contact: both('Contact', 'Contacto'),
};

const spanishLevels = [
  'Valor bajo',
  'Valor bajo a medio',
  'Valor medio',
  'Valor medio a alto',
  'Valor alto',
  'Valor muy alto',
  'Valor sumamente alto',
];
export const levels = compensationBands.map(({ label }, index) =>
  both(label, spanishLevels[index] ?? ''),
);
