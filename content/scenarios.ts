import type { CrashName } from '../src/web/survey/page/art/crash.tsx';
import type { Both } from '../src/web/survey/texts/shared.ts';

/** A way in which an accident happens: its drawing, its name, and a sentence about it. */
export type Scenario = {
  readonly crash: CrashName;
  readonly label: Both;
  /** Meets the rules of a description (docs/specification.md#case-description). */
  readonly sentence: Both;
  /** Replaces the sentence for a visitor at fault. Blames nobody. */
  readonly atFault?: Both;
};

const rear = {
  crash: 'rear',
  label: { en: 'From behind', es: 'Por detrás' },
  sentence: {
    en: 'Another vehicle hit us from behind.',
    es: 'Otro vehículo nos chocó por detrás.',
  },
  atFault: {
    en: 'One vehicle hit another from behind.',
    es: 'Un vehículo chocó a otro por detrás.',
  },
} as const;
const left = {
  crash: 'left',
  label: { en: 'Left turn', es: 'Vuelta a la izquierda' },
  sentence: {
    en: 'Another vehicle turned left in front of us.',
    es: 'Otro vehículo dio vuelta a la izquierda frente a nosotros.',
  },
  atFault: {
    en: 'The crash happened during a left turn.',
    es: 'El choque fue durante una vuelta a la izquierda.',
  },
} as const;
const light = {
  crash: 'light',
  label: { en: 'Red light', es: 'Luz roja' },
  sentence: {
    en: 'Another vehicle ran a red light and hit us.',
    es: 'Otro vehículo se pasó la luz roja y nos chocó.',
  },
  atFault: { en: 'The crash happened at a traffic light.', es: 'El choque fue en un semáforo.' },
} as const;
const lane = {
  crash: 'lane',
  label: { en: 'Lane change', es: 'Cambio de carril' },
  sentence: {
    en: 'Another vehicle changed lanes and hit us.',
    es: 'Otro vehículo cambió de carril y nos chocó.',
  },
  atFault: {
    en: 'The crash happened during a lane change.',
    es: 'El choque fue durante un cambio de carril.',
  },
} as const;

/** Replaces the last scenario if the step does not ask about hit and run. */
export const hitAndRun: Scenario = {
  crash: 'drivesAway',
  label: { en: 'Hit and run', es: 'Choque y fuga' },
  sentence: {
    en: 'The other driver drove off without stopping.',
    es: 'El otro conductor se fue sin detenerse.',
  },
};

/** The scenarios by the visitor's place in the accident, the most frequent first. */
export const scenarios = {
  vehicle: [
    rear,
    left,
    light,
    lane,
    {
      crash: 'headOn',
      label: { en: 'Head-on', es: 'De frente' },
      sentence: { en: 'Another vehicle hit us head-on.', es: 'Otro vehículo nos chocó de frente.' },
      atFault: {
        en: 'Two vehicles hit each other head-on.',
        es: 'Dos vehículos chocaron de frente.',
      },
    },
    {
      crash: 'parked',
      label: { en: 'Parked', es: 'Estacionado' },
      sentence: {
        en: 'Another vehicle hit ours while it was parked.',
        es: 'Otro vehículo chocó el nuestro cuando estaba estacionado.',
      },
      atFault: {
        en: 'One of the vehicles was parked.',
        es: 'Uno de los vehículos estaba estacionado.',
      },
    },
  ],
  /** The visitor may have been in a vehicle, on foot or on a bicycle. */
  unknown: [
    rear,
    left,
    light,
    {
      crash: 'onFoot',
      label: { en: 'On foot', es: 'A pie' },
      sentence: {
        en: 'A vehicle hit me while I was on foot.',
        es: 'Un vehículo me atropelló cuando iba a pie.',
      },
      atFault: {
        en: 'A vehicle hit a person on foot.',
        es: 'Un vehículo atropelló a una persona a pie.',
      },
    },
    {
      crash: 'bicycle',
      label: { en: 'Bicycle', es: 'Bicicleta' },
      sentence: {
        en: 'A vehicle hit me while I was on a bicycle.',
        es: 'Un vehículo me chocó cuando iba en bicicleta.',
      },
      atFault: {
        en: 'A vehicle hit a person on a bicycle.',
        es: 'Un vehículo chocó a una persona en bicicleta.',
      },
    },
    lane,
  ],
  onFoot: [
    {
      crash: 'onFoot',
      label: { en: 'Crosswalk', es: 'Cruce peatonal' },
      sentence: {
        en: 'A vehicle hit me in a crosswalk.',
        es: 'Un vehículo me atropelló en un cruce peatonal.',
      },
    },
    {
      crash: 'turning',
      label: { en: 'Turning car', es: 'Al dar vuelta' },
      sentence: {
        en: 'A turning vehicle hit me while I was crossing.',
        es: 'Un vehículo que daba vuelta me atropelló.',
      },
    },
    {
      crash: 'crossing',
      label: { en: 'Crossing', es: 'Cruzando la calle' },
      sentence: {
        en: 'A vehicle hit me while I was crossing the street.',
        es: 'Un vehículo me atropelló cuando cruzaba la calle.',
      },
    },
    {
      crash: 'roadside',
      label: { en: 'Roadside', es: 'Orilla de la calle' },
      sentence: {
        en: 'A vehicle hit me at the side of the road.',
        es: 'Un vehículo me atropelló en la orilla de la calle.',
      },
    },
    {
      crash: 'lot',
      label: { en: 'Parking lot', es: 'Estaciona\u00admiento' },
      sentence: {
        en: 'A vehicle hit me in a parking lot.',
        es: 'Un vehículo me atropelló en un estacionamiento.',
      },
    },
    {
      crash: 'onFootLight',
      label: { en: 'Red light', es: 'Luz roja' },
      sentence: {
        en: 'A vehicle ran a red light and hit me.',
        es: 'Un vehículo se pasó la luz roja y me atropelló.',
      },
      atFault: light.atFault,
    },
  ],
  bicycle: [
    {
      crash: 'bicycle',
      label: { en: 'From behind', es: 'Por detrás' },
      sentence: {
        en: 'A vehicle hit my bicycle from behind.',
        es: 'Un vehículo chocó mi bicicleta por detrás.',
      },
    },
    {
      crash: 'bicycleLeft',
      label: { en: 'Left turn', es: 'Vuelta a la izquierda' },
      sentence: {
        en: 'A vehicle turned left in front of my bicycle.',
        es: 'Un vehículo dio vuelta a la izquierda frente a mi bicicleta.',
      },
      atFault: left.atFault,
    },
    {
      crash: 'bicycleRight',
      label: { en: 'Right turn', es: 'Vuelta a la derecha' },
      sentence: {
        en: 'A vehicle turned right and hit my bicycle.',
        es: 'Un vehículo dio vuelta a la derecha y chocó mi bicicleta.',
      },
      atFault: {
        en: 'The crash happened during a right turn.',
        es: 'El choque fue durante una vuelta a la derecha.',
      },
    },
    {
      crash: 'bicycleDoor',
      label: { en: 'Car door', es: 'Puerta de auto' },
      sentence: {
        en: 'Someone opened a car door in front of my bicycle.',
        es: 'Alguien abrió la puerta de un auto frente a mi bicicleta.',
      },
      atFault: {
        en: 'My bicycle hit a car door.',
        es: 'Mi bicicleta chocó con la puerta de un auto.',
      },
    },
    {
      crash: 'bicycleSide',
      label: { en: 'Too close', es: 'Pasó muy cerca' },
      sentence: {
        en: 'A vehicle passed my bicycle too closely and hit me.',
        es: 'Un vehículo pasó muy cerca de mi bicicleta y me chocó.',
      },
      atFault: {
        en: 'A vehicle hit me while it was passing my bicycle.',
        es: 'Un vehículo me chocó cuando pasaba junto a mi bicicleta.',
      },
    },
    {
      crash: 'bicycleLight',
      label: { en: 'Red light', es: 'Luz roja' },
      sentence: {
        en: 'A vehicle ran a red light and hit my bicycle.',
        es: 'Un vehículo se pasó la luz roja y chocó mi bicicleta.',
      },
      atFault: light.atFault,
    },
  ],
} satisfies Readonly<Record<string, readonly Scenario[]>>;
