import type { Language } from '../src/model/fields/language.ts';

type Entry = { readonly title: string; readonly text: string };

/** The words of the drawings in the guides and on the law pages. */
type FigureWords = {
  readonly timeline: { readonly caption: string; readonly stops: readonly Entry[] };
  readonly claims: readonly [own: Entry, other: Entry];
  readonly deductions: { readonly caption: string; readonly yours: string };
  readonly body: { readonly caption: string; readonly regions: readonly string[] };
  readonly crashes: {
    readonly rear: string;
    readonly light: string;
    readonly left: string;
    readonly onFoot: string;
  };
  readonly timeToSue: string;
};

export const figureWords: Readonly<Record<Language, FigureWords>> = {
  en: {
    timeline: {
      caption:
        'The way of a claim. The parts are not drawn to scale: how long yours takes depends on how you heal.',
      stops: [
        { title: 'First day', text: 'Get help. Take pictures.' },
        { title: 'First two weeks', text: 'See a doctor. Tell your insurer.' },
        { title: 'Weeks to a year or more', text: 'You heal.' },
        { title: 'After that', text: 'The demand, the answer, the talks.' },
        { title: 'When you agree', text: 'Release, deductions, your money.' },
        {
          title: '{shortest} to {longest}',
          text: 'After the crash: the last day to sue. Talks do not move it.',
        },
      ],
    },
    claims: [
      {
        title: 'Your insurer pays you',
        text: 'for what you bought, even if the other driver denies everything.',
      },
      { title: 'The other driver’s insurer pays you', text: 'for what its driver did to you.' },
    ],
    deductions: {
      caption:
        'The numbers are those of the list below. The parts are not drawn to scale: they differ in each case.',
      yours: 'What reaches you',
    },
    body: {
      caption:
        'Go through your body from top to bottom. Tell the doctor every place that hurts, even a little, so that it is in the record.',
      regions: [
        'Head',
        'Neck and back',
        'Shoulders, arms and hands',
        'Chest and belly',
        'Hips',
        'Legs, knees and feet',
      ],
    },
    crashes: {
      rear: 'Following too closely',
      light: 'Running a light',
      left: 'Turning in front of you',
      onFoot: 'Not stopping for someone on foot',
    },
    timeToSue: 'Time to sue:',
  },
  es: {
    timeline: {
      caption:
        'El camino de un reclamo. Las partes no están a escala: cuánto dura el suyo depende de cómo sane.',
      stops: [
        { title: 'Primer día', text: 'Pida ayuda. Tome fotos.' },
        { title: 'Primeras dos semanas', text: 'Vaya al doctor. Avise a su aseguradora.' },
        { title: 'Semanas, o un año o más', text: 'Usted sana.' },
        { title: 'Después', text: 'Lo que se pide, lo que contestan, la negociación.' },
        { title: 'Cuando hay acuerdo', text: 'La renuncia, los descuentos, su dinero.' },
        {
          title: 'De {shortest} a {longest}',
          text: 'Después del choque: el último día para demandar. Negociar no lo cambia.',
        },
      ],
    },
    claims: [
      {
        title: 'Su aseguradora le paga',
        text: 'lo que usted compró, aunque el otro conductor lo niegue todo.',
      },
      {
        title: 'La aseguradora del otro conductor le paga',
        text: 'por lo que su conductor le hizo a usted.',
      },
    ],
    deductions: {
      caption:
        'Los números son los de la lista de abajo. Las partes no están a escala: son distintas en cada caso.',
      yours: 'Lo que le llega a usted',
    },
    body: {
      caption:
        'Recorra su cuerpo de arriba abajo. Dígale al doctor cada lugar que le duele, aunque sea poco, para que quede en el expediente.',
      regions: [
        'Cabeza',
        'Cuello y espalda',
        'Hombros, brazos y manos',
        'Pecho y abdomen',
        'Caderas',
        'Piernas, rodillas y pies',
      ],
    },
    crashes: {
      rear: 'Ir muy pegado al de adelante',
      light: 'Pasarse un semáforo',
      left: 'Dar vuelta frente a usted',
      onFoot: 'No parar ante alguien a pie',
    },
    timeToSue: 'Plazo para demandar:',
  },
};
