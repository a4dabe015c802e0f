/** Id of the icon (in `SurveyIcons`) that belongs to an answer, or undefined. */
export function iconId(field: string, value: string): string | undefined {
  return field === 'accident_type' ? `i-${value.split(' ')[0]?.toLowerCase()}` : undefined;
}
