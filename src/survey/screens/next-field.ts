import type { KeyboardEvent } from 'react';

/** Moves the focus to the next field when the "next" key would submit the form and report every empty field. */
export function goToNextField(event: KeyboardEvent<HTMLFormElement>): void {
  const input = event.target as HTMLElement;
  if (event.key !== 'Enter' || input.enterKeyHint !== 'next') return;
  event.preventDefault();
  const fields = ([...event.currentTarget.elements] as HTMLElement[]).filter(
    (each) => each.tagName !== 'FIELDSET',
  );
  fields[fields.indexOf(input) + 1]?.focus();
}
