import type { CrashName } from '../page/art/crash.tsx';
import { type Both, both } from './shared.ts';

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
  label: both('From behind', 'Por detrás'),
  sentence: both('Another vehicle hit us from behind.', 'Otro vehículo nos chocó por detrás.'),
  atFault: both('One vehicle hit another from behind.', 'Un vehículo chocó a otro por detrás.'),
} as const;
const left = {
  crash: 'left',
  label: both('Left turn', 'Vuelta a la izquierda'),
  sentence: both(
    'Another vehicle turned left in front of us.',
    'Otro vehículo dio vuelta a la izquierda frente a nosotros.',
  ),
  atFault: both(
    'The crash happened during a left turn.',
    'El choque fue durante una vuelta a la izquierda.',
  ),
} as const;
const light = {
  crash: 'light',
  label: both('Red light', 'Luz roja'),
  sentence: both(
    'Another vehicle ran a red light and hit us.',
    'Otro vehículo se pasó la luz roja y nos chocó.',
  ),
  atFault: both('The crash happened at a traffic light.', 'El choque fue en un semáforo.'),
} as const;
const lane = {
  crash: 'lane',
  label: both('Lane change', 'Cambio de carril'),
  sentence: both(
    'Another vehicle changed lanes and hit us.',
    'Otro vehículo cambió de carril y nos chocó.',
  ),
  atFault: both(
    'The crash happened during a lane change.',
    'El choque fue durante un cambio de carril.',
  ),
} as const;

/** Replaces the last scenario if the step does not ask about hit and run. */
export const hitAndRun: Scenario = {
  crash: 'drivesAway',
  label: both('Hit and run', 'Choque y fuga'),
  sentence: both(
    'The other driver drove off without stopping.',
    'El otro conductor se fue sin detenerse.',
  ),
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
      label: both('Head-on', 'De frente'),
      sentence: both('Another vehicle hit us head-on.', 'Otro vehículo nos chocó de frente.'),
      atFault: both('Two vehicles hit each other head-on.', 'Dos vehículos chocaron de frente.'),
    },
    {
      crash: 'parked',
      label: both('Parked', 'Estacionado'),
      sentence: both(
        'Another vehicle hit ours while it was parked.',
        'Otro vehículo chocó el nuestro cuando estaba estacionado.',
      ),
      atFault: both('One of the vehicles was parked.', 'Uno de los vehículos estaba estacionado.'),
    },
  ],
  /** The visitor may have been in a vehicle, on foot or on a bicycle. */
  unknown: [
    rear,
    left,
    light,
    {
      crash: 'onFoot',
      label: both('On foot', 'A pie'),
      sentence: both(
        'A vehicle hit me while I was on foot.',
        'Un vehículo me atropelló cuando iba a pie.',
      ),
      atFault: both(
        'A vehicle hit a person on foot.',
        'Un vehículo atropelló a una persona a pie.',
      ),
    },
    {
      crash: 'bicycle',
      label: both('Bicycle', 'Bicicleta'),
      sentence: both(
        'A vehicle hit me while I was on a bicycle.',
        'Un vehículo me chocó cuando iba en bicicleta.',
      ),
      atFault: both(
        'A vehicle hit a person on a bicycle.',
        'Un vehículo chocó a una persona en bicicleta.',
      ),
    },
    lane,
  ],
  onFoot: [
    {
      crash: 'onFoot',
      label: both('Crosswalk', 'Cruce peatonal'),
      sentence: both(
        'A vehicle hit me in a crosswalk.',
        'Un vehículo me atropelló en un cruce peatonal.',
      ),
    },
    {
      crash: 'turning',
      label: both('Turning car', 'Al dar vuelta'),
      sentence: both(
        'A turning vehicle hit me while I was crossing.',
        'Un vehículo que daba vuelta me atropelló.',
      ),
    },
    {
      crash: 'crossing',
      label: both('Crossing', 'Cruzando la calle'),
      sentence: both(
        'A vehicle hit me while I was crossing the street.',
        'Un vehículo me atropelló cuando cruzaba la calle.',
      ),
    },
    {
      crash: 'roadside',
      label: both('Roadside', 'Orilla de la calle'),
      sentence: both(
        'A vehicle hit me at the side of the road.',
        'Un vehículo me atropelló en la orilla de la calle.',
      ),
    },
    {
      crash: 'lot',
      label: both('Parking lot', 'Estaciona\u00admiento'),
      sentence: both(
        'A vehicle hit me in a parking lot.',
        'Un vehículo me atropelló en un estacionamiento.',
      ),
    },
    {
      crash: 'onFootLight',
      label: both('Red light', 'Luz roja'),
      sentence: both(
        'A vehicle ran a red light and hit me.',
        'Un vehículo se pasó la luz roja y me atropelló.',
      ),
    },
  ],
  bicycle: [
    {
      crash: 'bicycle',
      label: both('From behind', 'Por detrás'),
      sentence: both(
        'A vehicle hit my bicycle from behind.',
        'Un vehículo chocó mi bicicleta por detrás.',
      ),
    },
    {
      crash: 'bicycleLeft',
      label: both('Left turn', 'Vuelta a la izquierda'),
      sentence: both(
        'A vehicle turned left in front of my bicycle.',
        'Un vehículo dio vuelta a la izquierda frente a mi bicicleta.',
      ),
    },
    {
      crash: 'bicycleRight',
      label: both('Right turn', 'Vuelta a la derecha'),
      sentence: both(
        'A vehicle turned right and hit my bicycle.',
        'Un vehículo dio vuelta a la derecha y chocó mi bicicleta.',
      ),
    },
    {
      crash: 'bicycleDoor',
      label: both('Car door', 'Puerta de auto'),
      sentence: both(
        'Someone opened a car door in front of my bicycle.',
        'Alguien abrió la puerta de un auto frente a mi bicicleta.',
      ),
    },
    {
      crash: 'bicycleSide',
      label: both('Too close', 'Pasó muy cerca'),
      sentence: both(
        'A vehicle passed my bicycle too closely and hit me.',
        'Un vehículo pasó muy cerca de mi bicicleta y me chocó.',
      ),
    },
    {
      crash: 'bicycleLight',
      label: both('Red light', 'Luz roja'),
      sentence: both(
        'A vehicle ran a red light and hit my bicycle.',
        'Un vehículo se pasó la luz roja y chocó mi bicicleta.',
      ),
    },
  ],
} satisfies Readonly<Record<string, readonly Scenario[]>>;
