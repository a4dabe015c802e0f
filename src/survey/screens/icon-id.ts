/** The questions whose answers have icons: the vehicle, the injury, the treatment. */
const illustrated =
  /^(accident_type|other_vehicle_type|specific_injury|injury_type|type_of_medical_treatment)$/;

/**
 * Returns the id of an answer's icon, or undefined. A yes or no has one, except about fault, where their labels
 * are "Me" and "The other driver".
 */
export function iconId(field: string, value: string): string | undefined {
  const id = value.split(' ')[0]?.toLowerCase();
  if (illustrated.test(field)) return value === 'No Injury' ? 'no' : id;
  if (/fault/i.test(field)) return undefined;
  return /^(have_attorney|yes$)/i.test(value) ? 'yes' : /^no$/i.test(value) ? 'no' : undefined;
}
