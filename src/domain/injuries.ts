/** The severe injuries of document 2, section 4 (WasUserInjured), as answers of `specific_injury`. */
export const severeInjuries: readonly string[] = [
  'Back or Neck Pain',
  'Broken Bones',
  'Whiplash',
  'Head Injury',
  'Spinal Cord Injury',
  'Loss of Limb',
];
