/** The questions whose answers have icons: the vehicle, the injury, the treatment. */
const illustrated =
  /^(accident_type|other_vehicle_type|specific_injury|injury_type|type_of_medical_treatment)$/;

/** Id of the icon that belongs to an answer, or undefined: "none" has none. */
export function iconId(field: string, value: string): string | undefined {
  return illustrated.test(field) && value !== 'No Injury'
    ? value.split(' ')[0]?.toLowerCase()
    : undefined;
}
