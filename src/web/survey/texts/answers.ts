import { both, type InBoth, type QuestionTexts } from './shared.ts';

const injuries = {
  'Back or Neck Pain': both('Back or neck pain', 'Dolor de espalda o cuello'),
  Whiplash: both('Whiplash', 'Latigazo cervical'),
  'Broken Bones': both('Broken bones', 'Huesos rotos'),
  'Head Injury': both('Head injury', 'Golpe en la cabeza'),
  'Spinal Cord Injury': both('Spinal cord injury', 'Lesión de la médula espinal'),
  'Loss of Limb': both('Loss of an arm or leg', 'Pérdida de un brazo o una pierna'),
  'Cuts or Bruises': both('Cuts or bruises', 'Cortadas o moretones'),
  Other: both('Another injury', 'Otra lesión'),
};

/** The answers of all yes-or-no fields. */
export const yesNo = { yes: both('Yes', 'Sí'), no: both('No', 'No') };

/** The answers of all other fields, by field and value. */
export const choices: InBoth<QuestionTexts['choices']> = {
  accident_type: {
    'Car Accident': both('Car', 'Auto'),
    'Truck Accident': both('Semi or big truck', 'Tráiler o camión grande'),
    'Motorcycle Accident': both('Motorcycle', 'Moto'),
    'Pedestrian Accident': both('On foot', 'A pie'),
    'Bicycle Accident': both('Bicycle', 'Bicicleta'),
    Other: both('Other', 'Otro'),
  },
  at_Fault: { no: both('Someone else', 'Otra persona'), yes: both('I was', 'Yo') },
  partial_fault: { yes: both('Both, or not sure', 'Los dos, o no sé'), no: both('No', 'No') },
  specific_injury: injuries,
  physical_injury: {
    Yes: both('Yes, I was hurt', 'Sí, me lastimé'),
    No: both('No, I was not hurt', 'No, no me lastimé'),
  },
  lawyer_redirect_reason: {
    'have_attorney|yes': both('Yes', 'Sí'),
    'have_attorney|yes_but_I_want_a_new_lawyer': both(
      'Yes, but I want a new lawyer',
      'Sí, pero quiero otro abogado',
    ),
  },
  funding_amount: {
    under_2500: both('Less than $2,500', 'Menos de $2,500'),
    '2500_to_5000': both('$2,500 to $5,000', 'De $2,500 a $5,000'),
    '5000_to_10000': both('$5,000 to $10,000', 'De $5,000 a $10,000'),
    over_10000: both('More than $10,000', 'Más de $10,000'),
  },
  uninsured_motorist_coverage: {
    yes: both('Yes', 'Sí'),
    no: both('No, or I don’t know', 'No, o no sé'),
  },
  other_vehicle_type: {
    Car: both('Car', 'Auto'),
    'SUV or Pickup': both('SUV or pickup', 'Camioneta o pickup'),
    'Commercial Truck': both('Semi or big truck', 'Tráiler o camión grande'),
    Motorcycle: both('Motorcycle', 'Moto'),
    Bus: both('Bus', 'Autobús'),
    Other: both('Something else', 'Otro vehículo'),
  },
  accident_date_button: {
    'Within 1 Week': both('Within the last week', 'Hace menos de una semana'),
    'Within 1 Month': both('Within the last month', 'Hace menos de un mes'),
    'Within 6 Months': both('Within the last 6 months', 'Hace menos de 6 meses'),
    'Within 1 Year': both('Within the last year', 'Hace menos de un año'),
    'Within 2 Years': both('Within the last 2 years', 'Hace menos de 2 años'),
    'Over 2 Years': both('More than 2 years ago', 'Hace más de 2 años'),
  },
  type_of_medical_treatment: {
    'Emergency Room': both('Emergency room', 'Sala de emergencias'),
    'Doctor or Clinic': both('Doctor or clinic', 'Doctor o clínica'),
    'Chiropractor or Physical Therapy': both(
      'Chiropractor or physical therapy',
      'Quiropráctico o terapia física',
    ),
    Surgery: both('Surgery', 'Cirugía'),
  },
  when_seek_medical_treatment: {
    first_week: both('In the first week', 'En la primera semana'),
    first_month: both('In the first month', 'En el primer mes'),
    later: both('Later', 'Más tarde'),
    not_yet: both('Not yet', 'Todavía no'),
  },
  injury_type: { ...injuries, 'No Injury': both('I was not hurt', 'No me lastimé') },
  type_of_alcohol_test_performed: {
    breath_test: both('Breath test', 'De aliento'),
    blood_test: both('Blood test', 'De sangre'),
    urine_test: both('Urine test', 'De orina'),
    field_sobriety_test: both(
      'Roadside test, like walking a line',
      'En la calle, como caminar en línea recta',
    ),
    no_test: both('No test', 'Ninguna'),
    refused_test: both('I refused the test', 'Me negué a hacerla'),
  },
  bac_level: {
    under_0_08: both('Under 0.08', 'Menos de 0.08'),
    '0_08_to_0_14': both('0.08 to 0.14', 'De 0.08 a 0.14'),
    '0_15_or_more': both('0.15 or more', '0.15 o más'),
    dont_know: both('I don’t know', 'No sé'),
  },
  call_language: {
    English: both('English', 'En inglés'),
    Spanish: both('Español', 'En español'),
  },
  call_time: {
    morning: both('Morning', 'En la mañana'),
    afternoon: both('Afternoon', 'En la tarde'),
    evening: both('Evening', 'Desde las 5'),
  },
  ticket_type: {
    Speeding: both('Speeding', 'Exceso de velocidad'),
    'Red Light or Stop Sign': both('Red light or stop sign', 'Luz roja o señal de alto'),
    'Careless Driving': both('Careless driving', 'Manejo descuidado'),
    'Phone Use': both('Using a phone', 'Uso del teléfono'),
    'License or Insurance': both('License or insurance', 'Licencia o seguro'),
    Other: both('Something else', 'Otra razón'),
  },
  ageGroup: {
    under_18: both('Under 18', 'Menos de 18'),
    '18_to_25': both('18 to 25', 'De 18 a 25'),
    '26_to_49': both('26 to 49', 'De 26 a 49'),
    '50_to_64': both('50 to 64', 'De 50 a 64'),
    '65_or_more': both('65 or older', '65 o más'),
  },
};
