/** The questions whose every answer has an icon: the vehicle, the injury, the treatment. */
const illustrated =
  /^(accident_type|other_vehicle_type|specific_injury|type_of_medical_treatment)$/;

/** Id of the icon (in `SurveyIcons`) that belongs to an answer, or undefined. */
export function iconId(field: string, value: string): string | undefined {
  return illustrated.test(field) ? `i-${value.split(' ')[0]?.toLowerCase()}` : undefined;
}
